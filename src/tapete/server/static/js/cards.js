// Cards, drawn here: 5 to 7, a big index in the corner, a plain large suit, lettered courts. Colours belong to the
// stylesheet. Two backs differ in their pattern as well as in their colour.

import { svg } from "./dom.js";
import { read } from "./telling.js";

const SUITS = {
  s: "M50 5C78 31 93 46 93 63c0 13-10 20-20 20-8 0-15-4-19-11 1 11 4 18 10 24H36c6-6 9-13 10-24-4 7-11 11-19 11C17 83 7 76 7 63 7 46 22 31 50 5Z",
  h: "M50 92C19 65 6 48 6 31 6 17 17 8 28 8c9 0 18 5 22 14C54 13 63 8 72 8c11 0 22 9 22 23 0 17-13 34-44 61Z",
  d: "M50 4 87 50 50 96 13 50Z",
  c: "M50 5a21 21 0 0 1 16 34.500A21 21 0 1 1 55 73c1 10 4 17 10 23H35c6-6 9-13 10-23A21 21 0 1 1 34 39.500 21 21 0 0 1 50 5Z",
};

const suit = (name, x, y, size) => svg("path", { d: SUITS[name], class: "pip", transform: `translate(${x} ${y}) scale(${size / 100})` });

function frame(className, still, parts) {
  return svg("svg", { class: `card ${className}`, viewBox: "0 0 100 140", "aria-hidden": "true", focusable: "false", "data-still": still }, parts);
}

const sheet = () => svg("rect", { class: "sheet", x: 1.5, y: 1.5, width: 97, height: 137, rx: 9 });

function middle(card) {
  if (!"JQK".includes(card.rank)) return suit(card.suit, 40, 72, 54);
  return [
    svg("rect", { class: "court", x: 42, y: 60, width: 48, height: 69, rx: 4 }),
    svg("text", { class: "letter", x: 66, y: 104, "text-anchor": "middle" }, card.rank),
    suit(card.suit, 58, 109, 16),
  ];
}

function face(card, text) {
  const index = svg("text", { class: `index${card.rank === "10" ? " ten" : ""}`, x: 7, y: 40 }, card.rank);
  const mark = card.back === null ? null : svg("rect", { class: `edge edge-${card.back}`, x: 8, y: 132, width: 84, height: 4 });
  return frame(`suit-${card.suit}`, text, [sheet(), index, suit(card.suit, 9, 48, 27), middle(card), mark]);
}

function lattice(which) {
  const marks = [];
  for (let row = 0; row < 8; row += 1) {
    for (let column = 0; column < 5; column += 1) {
      const [x, y] = [18 + column * 16, 14 + row * 16];
      marks.push(which ? svg("circle", { cx: x, cy: y, r: 4.5 }) : svg("path", { d: `M${x} ${y - 7}l7 7-7 7-7-7Z` }));
    }
  }
  return svg("g", { class: "lattice" }, marks);
}

function back(which) {
  return frame(`back back-${which}`, `back ${which}`, [sheet(), svg("rect", { class: "field", x: 8, y: 8, width: 84, height: 124, rx: 5 }), lattice(which)]);
}

/** A card by its text, `??` face down; `colours` tells whether the table's packs have two backs. */
export function cardPicture(text, { colours = false } = {}) {
  const card = read(text);
  return card ? face({ ...card, back: colours ? card.back : null }, `${text} ${colours}`) : back(0);
}
