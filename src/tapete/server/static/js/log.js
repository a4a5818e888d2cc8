// Log: what happened, in words. A panel beside the cloth that folds away; on a narrow screen a sheet over it.

import { h } from "./dom.js";
import { say, told } from "./words.js";

/** Whether a later line says the same thing anew: a bet that was changed once more. */
function stale(line, after) {
  return line.event.type === "Placed" && after?.event.type === "Placed" && line.event.box === after.event.box && line.event.name === after.event.name;
}

function entry(app, line) {
  const texts = told(line.text).split("\n").filter(Boolean);
  const number = line.event.type === "Lock" ? h("h3", {}, say("Round {number}", { number: app.lockNumber(line.seq) })) : null;
  return h("li", { key: `l${line.seq}`, class: line.event.type === "Lock" ? "lock" : "" }, number, texts.map((text) => h("p", {}, text)));
}

export function logPanel(app) {
  const lines = app.state.log.filter((line, at, all) => line.seq <= app.stage.seq && !stale(line, all[at + 1]));
  return h(
    "aside",
    { class: "log", key: "log", id: "log", "aria-label": say("Log of the table") },
    h("h2", {}, say("Log"), h("button", { type: "button", class: "quiet small", "data-do": "log" }, h("kbd", {}, "j"), say("Fold away"))),
    h("ol", { class: "lines", tabindex: "0", "aria-label": say("Log of the table") }, lines.slice(-150).map((line) => entry(app, line))),
  );
}

/** Keeps the last line in sight unless the reader has scrolled up. */
export function follow(before) {
  const list = document.querySelector(".log .lines");
  if (list && (before === null || before)) list.scrollTop = list.scrollHeight;
}

/** Whether the last line is in sight now; null when there is no log. */
export function atEnd() {
  const list = document.querySelector(".log .lines");
  return list ? list.scrollHeight - list.scrollTop - list.clientHeight < 40 : null;
}
