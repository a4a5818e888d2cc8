// Boxes: one place of the cloth with its holder, its hands and all money on it.

import { h } from "./dom.js";
import { cardPicture } from "./cards.js";
import { chipPicture } from "./chips.js";
import { amount, say } from "./words.js";
import { betOf, rule } from "./state.js";
import { cardNames, resultText, stateText, totalText } from "./telling.js";

export const twoBacks = (state) => rule(state, "back_colours") !== "none";

/** Cards side by side; each leaves the index of the one below it free. */
export function cardRow(state, cards, label) {
  const colours = twoBacks(state);
  return h(
    "div",
    { class: `cards n${Math.min(cards.length, 12)}`, role: "img", "aria-label": label },
    cards.map((one, at) => h("span", { class: "place", key: `c${at}` }, cardPicture(one, { colours }))),
  );
}

const signed = (units) => amount(units, { signed: true });
const tone = (net) => (net > 0 ? "won" : net < 0 ? "lost" : "even");

/** A bettor's money: a chip, whose it is if not the holder's, the sum in digits, and what became of it. */
function money(bet, { holder, statement, label = "" }) {
  const name = bet.name === holder ? "" : bet.name;
  const sum = bet.added ? `${amount(bet.amount)} + ${amount(bet.added)}` : amount(bet.amount);
  return h(
    "li",
    { class: `bet${bet.settled && !statement ? " settled" : ""}`, key: `${label}${bet.name}` },
    chipPicture(bet.amount + (bet.added ?? 0), { number: false }),
    label && h("span", { class: "what" }, label),
    name && h("span", { class: "who" }, name),
    h("span", { class: "sum" }, sum),
    statement && h("span", { class: `net ${tone(statement.net)}`, title: resultText(statement) }, signed(statement.net)),
  );
}

function statementOf(view, box, hand, name) {
  return view.statements.find((one) => one.box === box.box && one.hand === hand && one.bettor === name);
}

function handView(app, box, hand, number) {
  const { state, shown } = app;
  const total = totalText(hand);
  const label = [box.hands.length > 1 ? say("Hand {hand}", { hand: number }) : "", cardNames(hand.cards), total].filter(Boolean).join("; ");
  const turn = hand.state === "turn" && shown.phase !== "bets";
  return h(
    "li",
    { class: `hand ${hand.state}${turn ? " active" : ""}`, key: `h${number}`, "aria-current": turn ? "step" : null },
    cardRow(state, hand.cards, label),
    h("p", { class: "total" }, h("strong", {}, total), h("span", { class: "how" }, stateText(hand))),
    h("ul", { class: "money" }, hand.bets.map((bet) => money(bet, { holder: box.holder, statement: statementOf(shown, box, number, bet.name) }))),
  );
}

function insurances(app, box) {
  if (!box.insurances.length) return null;
  const label = say("Insurance");
  const all = box.insurances.map((bet) => money(bet, { holder: box.holder, label, statement: statementOf(app.shown, box, 0, bet.name) }));
  return h("ul", { class: "money insurance" }, all);
}

/** The bets that lie ready for the coming round. */
function ready(app, box) {
  if (!box.bets.length) return null;
  return h("ul", { class: "money ready" }, box.bets.map((bet) => money(bet, { holder: box.holder })));
}

function spot(app, box) {
  const { state, ui } = app;
  if (app.shown.phase !== "bets" || !app.betting.mayBet(box)) return ready(app, box);
  const target = ui.target === box.box;
  const laid = betOf(box, state.you);
  const label = laid ? say("Your bet on box {box}: {amount:chips}", { box: box.box, amount: laid }) : say("Bet on box {box}", { box: box.box });
  return [
    h(
      "button",
      { type: "button", class: `spot${target ? " target" : ""}`, "data-do": "target", "data-box": box.box, "aria-pressed": String(target), "aria-label": label, key: "spot" },
      laid ? [chipPicture(laid, { number: false }), h("span", { class: "sum" }, amount(laid))] : h("span", { class: "empty" }, say("Bet here")),
    ),
    h("ul", { class: "money ready" }, box.bets.filter((bet) => bet.name !== state.you).map((bet) => money(bet, { holder: box.holder }))),
  ];
}

function head(app, box) {
  const { state } = app;
  const you = box.holder && box.holder === state.you;
  const away = box.holder && state.room && !state.room.present.includes(box.holder) && !bot(app, box.holder);
  const out = state.room?.sitting_out.includes(box.holder);
  return h(
    "h3",
    { class: "plate" },
    h("span", { class: "number" }, String(box.box)),
    h("span", { class: "name" }, box.holder || say("free")),
    you && h("span", { class: "tag" }, say("you")),
    state.room?.ready.includes(box.holder) && app.shown.phase === "bets" && h("span", { class: "tag" }, say("ready")),
    away && h("span", { class: "tag" }, say("away")),
    out && h("span", { class: "tag" }, say("sits out")),
  );
}

const bot = (app, name) => app.state.view.people.find((one) => one.name === name)?.bot;

/** Whether the hands of a finished round are still to be seen: until the first bet of the next one lies. */
export const cleared = (view) => view.phase === "bets" && view.boxes.some((box) => box.bets.length);

export function boxView(app, box) {
  const { state, shown } = app;
  const free = !box.holder && !box.hands.length;
  const hands = cleared(shown) ? [] : box.hands;
  const turn = hands.some((hand) => hand.state === "turn") && shown.phase !== "bets";
  const names = ["box", free ? "free" : "taken", box.holder === state.you && state.you ? "mine" : "", turn ? "turn" : "", hands.length > 1 ? `hands-${Math.min(hands.length, 4)}` : ""];
  return h(
    "section",
    { class: names.filter(Boolean).join(" "), key: `box${box.box}`, "data-box": box.box, "aria-label": say("Box {box}", { box: box.box }) },
    head(app, box),
    hands.length ? h("ol", { class: "hands" }, hands.map((hand, at) => handView(app, box, hand, at + 1))) : null,
    insurances(app, box),
    spot(app, box),
    app.seats.boxButtons(box),
  );
}
