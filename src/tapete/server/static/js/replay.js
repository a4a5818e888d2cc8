// Replay: a finished round on the table's own cloth, step by step, by the links, the arrow keys, Home and End. Each step
// has its address. Without this script the page tells the same steps one by one.

import { children, h } from "./dom.js";
import { felt } from "./felt.js";
import { dress } from "./prefs.js";
import { center } from "./results.js";
import { dealerName } from "./telling.js";
import { load, say, told } from "./words.js";

const root = document.getElementById("replay");
const { at: address, lang, you } = root.dataset;
const last = Number(root.dataset.last);
const narrow = matchMedia("(max-width: 55.99rem)");
const nobody = { betting: { mayBet: () => false }, seats: { boxButtons: () => null }, ui: { target: null } };
let record = null;
let step = stepIn(location.search);

function stepIn(search) {
  const asked = Number(new URLSearchParams(search).get("step"));
  return asked >= 1 ? Math.min(Math.floor(asked), last) : last;
}

/** What the parts of the table want to know of it: the round as it was after this step, and that nothing can be done. */
function table() {
  const { view } = record.steps[step - 1];
  const state = { about: record.about, you, view, room: null, log: [] };
  return { ...nobody, state, shown: view, narrow: narrow.matches, dealerName: () => dealerName(record.about) };
}

function go(to, text, key) {
  const there = to >= 1 && to <= last && to !== step;
  return there
    ? h("a", { class: "button", key, href: `${address}?step=${to}` }, text)
    : h("span", { class: "button off", key: `${key}-off`, "aria-disabled": "true" }, text);
}

function steps() {
  return [go(1, say("First"), "Home"), go(step - 1, say("Previous"), "ArrowLeft"), go(step + 1, say("Next"), "ArrowRight"), go(last, say("Last"), "End")];
}

const lines = (texts) => told(texts).split("\n").flatMap((text, nth) => [nth ? h("br") : null, h("span", {}, text)]).filter(Boolean);

function draw() {
  if (!record) return;
  const had = document.activeElement;
  const app = table();
  const cloth = root.querySelector(".cloth");
  document.getElementById("at").textContent = say("Step {step} of {last}", { step, last });
  children(root.querySelector(".stepper"), steps());
  children(root.querySelector(".happened"), lines(record.steps[step - 1].text));
  cloth.classList.toggle("narrow", app.narrow);
  cloth.dataset.phase = app.shown.phase;
  cloth.dataset.results = center(app) ? "yes" : "no";
  dress(cloth);
  children(cloth, [felt(app)]);
  root.querySelectorAll(".steps li").forEach((line, nth) => (nth + 1 === step ? line.setAttribute("aria-current", "step") : line.removeAttribute("aria-current")));
  if (had && had !== document.body && !had.isConnected) document.getElementById("at").focus();
}

function show(to, { remember }) {
  step = to;
  if (remember) history.pushState(null, "", `${address}?step=${step}`);
  draw();
}

document.addEventListener("click", (event) => {
  const link = event.target.closest?.("#replay a");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
  event.preventDefault();
  show(stepIn(new URL(link.href).search), { remember: true });
});

const KEYS = { Home: () => 1, End: () => last, ArrowLeft: () => step - 1, ArrowRight: () => step + 1 };

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest?.("input, select, textarea, [tabindex='0']")) return;
  const to = KEYS[event.key]?.();
  if (!(to >= 1 && to <= last) || to === step) return;
  event.preventDefault();
  show(to, { remember: true });
});

addEventListener("popstate", () => show(stepIn(location.search), { remember: false }));
narrow.addEventListener("change", draw);

async function begin() {
  const [answer] = await Promise.all([fetch(`${address}.json`, { credentials: "same-origin" }), load(lang)]);
  if (!answer.ok) throw new Error(`no round: ${answer.status}`);
  record = await answer.json();
  draw();
}

begin();
