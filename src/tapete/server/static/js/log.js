// Log: what happened, in words. A panel beside the cloth that folds away; on a narrow screen a sheet over it.

import { h } from "./dom.js";
import { say, told } from "./words.js";

/** What is worth a line: no house bot's arrival, and of the bets only those that the round's own line does not tell again. */
function worth(lines) {
  const lock = lines.findLastIndex((one) => one.event.type === "Lock");
  return lines.filter(({ event }, at) => {
    if (event.type === "Joined") return !event.bot;
    if (event.type !== "Placed") return true;
    const next = lines[at + 1]?.event;
    return at > lock && !(next?.type === "Placed" && next.box === event.box && next.name === event.name);
  });
}

function entry(app, line) {
  const texts = told(line.text).split("\n").filter(Boolean);
  const number = line.event.type === "Lock" ? h("h3", {}, say("Round {number}", { number: app.lockNumber(line.seq) })) : null;
  return h("li", { key: `l${line.seq}`, class: line.event.type === "Lock" ? "lock" : "" }, number, texts.map((text) => h("p", {}, text)));
}

export function logPanel(app) {
  const lines = worth(app.state.log.filter((line) => line.seq <= app.stage.seq));
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
