// Results: in the middle of the cloth, a sentence for each hand and bettor, the sum last; or whom the table waits for.

import { h } from "./dom.js";
import { cleared } from "./boxes.js";
import { say } from "./words.js";
import { statementText, sums } from "./telling.js";

const tone = (net) => (net > 0 ? "won" : net < 0 ? "lost" : "even");

function line(app, one) {
  return h("li", { class: tone(one.net), key: `${one.box}.${one.hand}.${one.bettor}` }, statementText(app.shown, one));
}

function sumLine(app, one) {
  const you = one.name === app.state.you;
  return h("p", { class: `sum-line ${tone(one.whole)}${you ? " you" : ""}`, key: one.name }, `${one.name}: ${one.text}`);
}

/** My own bets if I had any, else all of them. */
export function ownStatements(app) {
  const mine = app.shown.statements.filter((one) => one.bettor === app.state.you);
  return mine.length ? mine : app.shown.statements;
}

function statement(app) {
  const told = ownStatements(app);
  const title = app.shown.void ? say("The round is void.") : say("Round {number}", { number: app.shown.round });
  const whole = sums(told).map((one) => sumLine(app, one));
  const first = app.narrow && whole.length === 1 && !app.shown.void;
  return h(
    "section",
    { class: "results", key: "results", "aria-label": say("Results"), tabindex: "0" },
    h("div", { class: "head" }, first ? whole : h("h3", {}, title), app.openDialog && h("button", { type: "button", class: "link", "data-do": "statement" }, say("Statement of the round"))),
    h("ul", {}, told.map((one) => line(app, one))),
    first ? null : whole,
  );
}

/** What the middle of the cloth shows instead of its printed line, if anything. */
export function center(app) {
  const { shown } = app;
  if (shown.phase !== "bets" || !shown.statements.length || cleared(shown)) return null;
  return statement(app);
}

/** The whole statement of the last round, and the rounds before it. */
export function statementDialog(app) {
  const { shown, state } = app;
  const all = shown.statements;
  return [
    h("h2", { id: "dialog-title" }, say("Statement of the round")),
    all.length ? h("ul", { class: "plain results-all" }, all.map((one) => line(app, one))) : h("p", {}, say("No round is finished yet.")),
    sums(all).map((one) => sumLine(app, one)),
    h("h3", {}, say("The last rounds")),
    h("ul", { class: "plain rounds" }, [...state.history].reverse().map((number) => roundLinks(app, number))),
  ];
}

function roundLinks(app, number) {
  const base = `/t/${state(app).code}/rounds/${number}`;
  return h(
    "li",
    { key: `r${number}` },
    h("span", {}, say("Round {number}", { number })),
    h("a", { href: base, target: "_blank" }, say("Look at it again")),
    h("a", { href: `${base}.bjh`, download: true }, say("Download")),
  );
}

const state = (app) => app.state.about;
