// Dialogs: one at a time, in one element; Esc closes it and the focus goes back to where it was.

import { children, h } from "./dom.js";
import { language, say } from "./words.js";
import { prefs } from "./prefs.js";
import { statementDialog } from "./results.js";

function choice(name, text, options) {
  const now = name === "theme" ? document.documentElement.dataset.theme || "auto" : prefs[name];
  return h(
    "fieldset",
    { key: name },
    h("legend", {}, text),
    options.map(([value, label]) =>
      h("label", {}, h("input", { type: "radio", name, value: String(value), checked: String(now) === String(value), "data-pref": name }), label),
    ),
  );
}

function settings() {
  const yes = [[true, say("Yes")], [false, say("No")]];
  return [
    h("h2", { id: "dialog-title" }, say("Settings")),
    choice("speed", say("Speed of the cards"), [["none", say("none")], ["fast", say("fast")], ["normal", say("usual")], ["slow", say("slow")]]),
    choice("deck", say("Colours of the suits"), [["two", say("two")], ["four", say("four")]]),
    choice("index", say("Index of the cards"), [["usual", say("usual")], ["large", say("large")]]),
    choice("theme", say("Light"), [["auto", say("as the system")], ["light", say("light")], ["dark", say("dark")]]),
    choice("sound", say("Sound"), yes),
    choice("verbosity", say("What is read aloud to screen readers"), [["brief", say("my hands and results")], ["usual", say("and the dealer")], ["all", say("everything")]]),
    choice("confirm", say("Ask again before a double, a split, a retirement or insurance"), yes),
    choice("keys", say("Single keys play"), yes),
    choice("seeds", say("This browser gives a seed for each shoe"), yes),
    h(
      "fieldset",
      { key: "language" },
      h("legend", {}, say("Language")),
      [["en", "English"], ["es", "Español"]].map(([value, label]) =>
        h("label", { lang: value }, h("input", { type: "radio", name: "language", value, checked: language() === value, "data-pref": "language" }), label),
      ),
    ),
  ];
}

const HELP = () => [
  ["1 – 9", say("lay a chip; in a round, answer with the digit on the button")],
  ["← →", say("the next or the last place to bet on")],
  ["Enter n", say("deal the cards")],
  ["r x", say("the same bet again; twice the bet")],
  ["u c t", say("take a chip back; clear the bet; type an amount")],
  ["a o f", say("repeat the bets until stopped; sit out; new chips when yours are gone")],
  ["z", say("choose the next move before your turn")],
  ["w", say("people, boxes and house bots")],
  ["Shift+M", say("read my hands aloud")],
  ["Shift+D", say("read the dealer’s hand aloud")],
  ["Shift+B", say("read the bets aloud")],
  ["Shift+T", say("read aloud whose turn it is")],
  ["j", say("the log, open or folded away")],
  ["g", say("the rules of this table")],
  ["k", say("two or four colours for the suits")],
  ["v", say("the speed of the cards; any key hurries them")],
  ["e", say("English or Spanish")],
  ["y", say("light or dark")],
  ["q", say("leave the table")],
  ["Esc", say("close what is open")],
];

function help() {
  return [
    h("h2", { id: "dialog-title" }, say("Keys")),
    h("dl", { class: "keys" }, HELP().map(([keys, text]) => h("div", {}, h("dt", {}, keys.split(" ").map((one) => h("kbd", {}, one))), h("dd", {}, text)))),
    h("p", { class: "note" }, say("A key that is held, or that comes before its question, answers nothing.")),
    h("p", { class: "note" }, say("A right click or a long press on a chip takes one back.")),
  ];
}

function leave(app) {
  return [
    h("h2", { id: "dialog-title" }, say("Leave the table?")),
    h("p", {}, app.shown.phase === "bets" ? say("Your chips go back to your account.") : say("A round is in play. What is still asked of you gets its stated answer; your chips go back when it is over.")),
    h("p", { class: "rowed" }, h("button", { type: "button", class: "tool main", "data-do": "leave-now" }, say("Leave")), h("a", { class: "tool", href: "/" }, say("To the lobby, keeping my seat"))),
  ];
}

/** What the line on top has no room for on a narrow screen. */
function menu(app) {
  const entry = (name, text) => h("button", { type: "button", class: "tool", "data-do": name, key: name }, text);
  return [
    h("h2", { id: "dialog-title" }, say("Menu")),
    h(
      "div",
      { class: "menu-list" },
      entry("people", say("People")),
      h("a", { class: "tool", href: `/t/${app.state.about.code}/rules`, target: "_blank" }, say("Rules")),
      entry("statement", say("Statement of the round")),
      entry("fair", say("Fair")),
      entry("settings", say("Settings")),
      entry("help", say("Help")),
      entry("leave", say("Leave")),
    ),
  ];
}

const CONTENT = (app) => ({
  menu: () => menu(app),
  settings,
  help,
  leave: () => leave(app),
  people: () => app.seats.dialog(),
  statement: () => statementDialog(app),
  fair: () => app.fair.dialog(),
  cut: () => app.fair.cutDialog(),
});

export class Dialogs {
  constructor(app) {
    this.app = app;
    this.element = document.getElementById("dialog");
    this.element.addEventListener("close", () => this.closed());
  }

  closed() {
    if (this.app.ui.dialog === "cut") this.app.fair.cut();
    this.app.ui.dialog = null;
    this.app.guard.begin();
    this.app.render();
  }

  open(name) {
    this.app.ui.dialog = name;
    this.draw();
    if (this.element.open) this.element.querySelector("button, a, input")?.focus();
    else this.element.showModal();
    this.element.scrollTop = 0;
  }

  close() {
    if (this.element.open) this.element.close();
  }

  draw() {
    const name = this.app.ui.dialog;
    if (!name) return;
    const content = CONTENT(this.app)[name]();
    const end = h("p", { class: "end", key: "end" }, h("button", { type: "button", class: "tool", "data-do": "close-dialog" }, say("Close"), h("kbd", {}, "Esc")));
    children(this.element, [h("div", { class: `dialog-body ${name}`, key: name }, content, end)]);
  }
}
