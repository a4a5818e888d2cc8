// Felt: the cloth with the dealer, the shoe, the tray, the printed line and the boxes in their arc.

import { h, svg } from "./dom.js";
import { boxView, cardRow, cleared } from "./boxes.js";
import { plural, say, told } from "./words.js";
import { mine } from "./state.js";
import { cardNames, dealerTotal } from "./telling.js";
import { center } from "./results.js";

function shoe(shown) {
  const { shoe: seen } = shown;
  if (!seen) return h("div", { class: "shoe", key: "shoe", id: "shoe" }, h("span", { class: "note" }, say("new shoe")));
  const x = (cards) => 4 + (92 * cards) / seen.cards;
  const cut = seen.cut_left !== null && seen.cut_left !== undefined && seen.left > 0;
  return h(
    "div",
    { class: "shoe", key: "shoe", id: "shoe" },
    svg(
      "svg",
      { viewBox: "0 0 100 44", class: "shoe-picture", "aria-hidden": "true" },
      svg("rect", { class: "case", x: 1, y: 1, width: 98, height: 42, rx: 6 }),
      svg("rect", { class: "stock", x: 4, y: 7, width: Math.max(0, x(seen.left) - 4), height: 30, rx: 2 }),
      cut ? svg("rect", { class: "cut", x: x(seen.cut_left) - 1.25, y: 4, width: 2.5, height: 36 }) : null,
    ),
    h("span", { class: "note" }, plural("{n} card left", "{n} cards left", seen.left)),
    cut && h("span", { class: "note faint" }, say("cut card at {n}", { n: seen.cut_left })),
  );
}

function tray(shown) {
  const cards = shown.shoe?.tray ?? 0;
  return h(
    "div",
    { class: "tray", key: "tray" },
    svg(
      "svg",
      { viewBox: "0 0 100 44", class: "tray-picture", "aria-hidden": "true" },
      svg("rect", { class: "case", x: 1, y: 1, width: 98, height: 42, rx: 6 }),
      svg("rect", { class: "spent", x: 4, y: 40 - (34 * cards) / (shown.shoe?.cards || 1), width: 92, height: (34 * cards) / (shown.shoe?.cards || 1) }),
    ),
    h("span", { class: "note" }, say("Discards: {n}", { n: cards })),
  );
}

function dealer(app) {
  const { shown } = app;
  const seen = cleared(shown) ? { cards: [], total: 0 } : shown.dealer;
  const total = dealerTotal(seen);
  const label = seen.cards.length ? `${app.dealerName()}: ${cardNames(seen.cards)}; ${total}` : app.dealerName();
  return h(
    "section",
    { class: "dealer", key: "dealer", "aria-label": app.dealerName() },
    h("h2", {}, app.dealerName()),
    cardRow(app.state, seen.cards, label),
    h("p", { class: "total" }, h("strong", {}, total)),
  );
}

function printed(app) {
  const line = told(app.state.about.felt);
  return h(
    "div",
    { class: "printed", key: "printed" },
    svg(
      "svg",
      { viewBox: "0 0 1000 90", class: "arc-line", "aria-hidden": "true" },
      svg("path", { id: "arc-path", d: "M20 14Q500 116 980 14", class: "arc-path" }),
      svg("text", { "text-anchor": "middle", "font-size": Math.min(25, Math.floor(1500 / line.length)) }, svg("textPath", { href: "#arc-path", startOffset: "50%" }, line)),
    ),
    h("p", { class: "flat-line" }, line),
  );
}

/** Which box lies large in front of a reader with a narrow screen: the one asked, the one bet on, the first of one's own; whoever looks on has the one whose turn it is. */
export function front(app) {
  const own = mine(app.state);
  const asked = app.shown.questions.find((one) => one.bettor === app.state.you)?.box;
  const turn = own.find((box) => box.hands.some((hand) => hand.state === "turn"))?.box;
  const played = own.find((box) => box.hands.length)?.box;
  const aimed = app.shown.phase === "bets" ? app.ui.target : null;
  if (own.length) return asked ?? turn ?? aimed ?? played ?? own[0].box;
  return asked ?? (app.shown.boxes.find((box) => box.hands.some((hand) => hand.state === "turn")) ?? app.shown.boxes.find((box) => box.hands.length))?.box ?? null;
}

function places(app) {
  const { boxes } = app.shown;
  const lone = boxes.length === 1;
  if (!app.narrow) return h("div", { class: `boxes arc of-${boxes.length}`, key: "boxes" }, boxes.map((box) => boxView(app, box)));
  const ahead = lone ? boxes[0].box : front(app);
  const others = boxes.filter((box) => box.box !== ahead);
  const own = boxes.find((box) => box.box === ahead);
  const strip = others.length
    ? h("div", { class: "boxes strip", key: "boxes", tabindex: "0", role: "group", "aria-label": say("The other boxes") }, others.map((box) => boxView(app, box)))
    : null;
  const results = center(app);
  return [
    h("div", { class: "around", key: "around" }, results ? [results, strip] : [strip, printed(app)]),
    h("div", { class: "front", key: "front" }, own ? boxView(app, own) : null),
  ];
}

export function felt(app) {
  const middle = app.narrow ? null : center(app) ?? printed(app);
  return h(
    "div",
    { class: "felt", key: "felt" },
    h("div", { class: "dealing", key: "dealing" }, tray(app.shown), dealer(app), shoe(app.shown)),
    app.narrow ? null : h("div", { class: "middle", key: "middle" }, middle),
    places(app),
  );
}
