// Gestures: clicks, touches, forms and what lies under the pointer, each handed on as a deed.

import { lit, speakIn } from "./deeds.js";
import { listen } from "./keys.js";
import { set } from "./prefs.js";

function chosen(app, field) {
  const { pref } = field.dataset;
  if (pref === "language") speakIn(app, field.value);
  else if (pref === "theme") lit(app, field.value);
  else set(pref, { true: true, false: false }[field.value] ?? field.value);
  app.render();
}

function submitted(app, form) {
  if (form.dataset.submit === "typed") app.betting.type(form.querySelector("input").value);
  else if (form.dataset.submit === "cut") app.closeDialog();
}

const LONG = 500;

/** A second gesture takes a chip back: a right click, or a press that lasts. */
function backwards(app) {
  const back = (target) => {
    const chip = target.closest?.("[data-do='chip']");
    if (chip) app.act("chip-back", chip.dataset, new Event("x"));
    else if (target.closest?.(".spot")) app.betting.undo();
    return Boolean(chip || target.closest?.(".spot"));
  };
  document.addEventListener("contextmenu", (event) => {
    if (!event.target.closest?.("[data-do='chip'], .spot")) return;
    event.preventDefault();
    if (!held.done) back(event.target);
  });
  const held = { timer: 0, done: false };
  document.addEventListener("pointerdown", (event) => {
    held.done = false;
    clearTimeout(held.timer);
    if (event.pointerType === "mouse") return;
    held.timer = setTimeout(() => (held.done = back(event.target)), LONG);
  });
  for (const name of ["pointerup", "pointercancel"]) document.addEventListener(name, () => clearTimeout(held.timer));
  document.addEventListener("click", (event) => held.done && (event.stopPropagation(), (held.done = false)), true);
}

/** A button that is not live says why when it is pointed at, focused or pressed. */
function tips(app) {
  const show = (event) => {
    const target = event.target.closest?.("[data-tip]");
    if (!target?.dataset.tip || app.actions.tip === target.dataset.tip) return;
    app.actions.tip = target.dataset.tip;
    app.render();
  };
  for (const name of ["pointerover", "focusin", "pointerdown"]) document.addEventListener(name, show);
}

/** Listens to everything that a person does with the page. */
export function wire(app, narrow) {
  document.addEventListener("click", (event) => {
    const target = event.target.closest("[data-do]");
    if (!target) return;
    if (target.getAttribute("aria-disabled") === "true" && target.dataset.do !== "move") {
      if (target.dataset.tip) app.note(target.dataset.tip);
      return;
    }
    app.act(target.dataset.do, target.dataset, event);
  });
  document.addEventListener("change", (event) => event.target.dataset.pref && chosen(app, event.target));
  document.addEventListener("input", (event) => {
    const out = event.target.dataset.live && document.getElementById(event.target.dataset.live);
    if (out) out.textContent = event.target.value;
  });
  document.addEventListener("submit", (event) => {
    event.preventDefault();
    submitted(app, event.target);
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && event.target.dataset?.enter) app.act("move", { slot: event.target.dataset.enter }, event);
  });
  backwards(app);
  tips(app);
  listen(app, (name, data, event) => app.act(name, data, event));
  narrow.addEventListener("change", () => app.render());
}
