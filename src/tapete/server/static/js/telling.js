// Telling: cards, hands, questions and results as sentences. The same words as the terminal's; the facts (totals,
// results, what is legal) are the server's.

import { amount, reason, result, say } from "./words.js";
import { boxOf } from "./state.js";

const SIGNS = { s: "♠", h: "♥", d: "♦", c: "♣" };
const suits = () => ({ s: say("spades"), h: say("hearts"), d: say("diamonds"), c: say("clubs") });
const ranks = () => ({ A: say("ace"), J: say("jack"), Q: say("queen"), K: say("king") });

/** Rank, suit and back of a card's text; null for one that lies face down. */
export function read(text) {
  if (text === "??") return null;
  const [face, back = "0"] = text.split("/");
  return { rank: face.slice(0, -1), suit: face.slice(-1), back: Number(back), sign: SIGNS[face.slice(-1)] };
}

export function cardName(text) {
  const card = read(text);
  return card ? say("{rank} of {suit}", { rank: ranks()[card.rank] ?? card.rank, suit: suits()[card.suit] }) : say("a hidden card");
}

/** What the dealer is called at a table. */
export const dealerName = (about) => (about.preset === "home" ? say("The House") : say("Dealer"));

export const cardNames = (cards) => cards.map(cardName).join(", ");

function count({ total, soft, cards }) {
  if (!soft) return say("hard {total}", { total });
  const rest = total - 11;
  const text = say("soft {total}", { total });
  return cards.length > 1 ? `A-${rest === 1 ? "A" : rest} · ${text}` : text;
}

/** A hand's total, always with soft or hard, or what it is instead. */
export function totalText(hand) {
  if (!hand.cards.length || hand.total === null) return "";
  if (hand.blackjack || hand.state === "blackjack") return "Blackjack";
  return hand.bust || hand.state === "bust" ? say("bust ({total})", { total: hand.total }) : count(hand);
}

export const dealerTotal = (dealer) => (dealer.total ? totalText({ state: "", ...dealer, cards: dealer.cards.filter((one) => one !== "??") }) : "");

/** What else is to be said of a hand: that it stands, is retired, doubled. */
export function stateText(hand) {
  const parts = [];
  if (hand.doubled) parts.push(say("doubled"));
  if (hand.state === "retired") parts.push(say("retired"));
  if (hand.state === "done") parts.push(say("stands"));
  return parts.join(" · ");
}

export function placeText(view, number, hand = 0) {
  const box = boxOf(view, number);
  const parts = view.boxes.length > 1 ? [say("Box {box}", { box: number })] : [];
  if (box?.holder) parts.push(box.holder);
  if (box && box.hands.length > 1 && hand) parts.push(say("hand {hand}", { hand }));
  return parts.join(", ");
}

function against(dealer) {
  const seen = dealer.cards.filter((one) => one !== "??");
  return seen.length === 1 ? cardName(seen[0]) : dealerTotal(dealer);
}

function placeOf(view, question) {
  const place = placeText(view, question.box, question.hand);
  const holder = boxOf(view, question.box)?.holder;
  return question.bettor === holder ? place : say("{place}; {bettor}’s bet", { bettor: question.bettor, place });
}

/** What is asked, and whom. */
export function questionText(view, question) {
  const hand = boxOf(view, question.box)?.hands[question.hand - 1];
  const facts = { place: placeOf(view, question), total: hand ? totalText(hand) : "", dealer: against(view.dealer), amount: question.most };
  if (question.kind === "turn") return say("{place}: {total} against {dealer}. What now?", facts);
  if (question.kind === "retire") return say("{place}: {total} against {dealer}. Retire?", facts);
  if (question.kind === "follow" && question.move === "double") return say("{place}: follow the double with {amount:chips}?", facts);
  if (question.kind === "follow") return say("{place}: follow the split with {amount:chips}?", facts);
  if (!question.legal.includes("insure")) return say("{place}: {total}. Insurance is offered, but there are no chips left for it.", facts);
  if (question.least === question.most) return say("{place}: {total}. Insurance for {amount:chips}?", facts);
  return say("{place}: {total}. Insurance for up to {amount:chips}?", facts);
}

/** Why a move is not allowed, with the clauses of the house's text that say so. */
export function reasonText(about, code) {
  const clauses = [about.clauses[code] ?? []].flat().filter((one) => !one.includes("-S"));
  const cited = say("(Rule {clauses})", { clauses: clauses.join(", ") });
  return clauses.length ? `${reason(code)} ${cited}` : reason(code);
}

function ratio(net, stake) {
  let [a, b] = [Math.max(net, 0), stake || 1];
  while (b) [a, b] = [b, a % b];
  return say("{paid} to {staked}", { paid: Math.max(net, 0) / a, staked: (stake || 1) / a });
}

/** What became of one bet: `20 against 19: wins 10`. */
export function resultText(one) {
  const facts = { total: one.total, dealer: one.dealer, stake: one.stake, won: one.net, lost: -one.net };
  return result(one.reason, { ...facts, ratio: ratio(one.net, one.stake) });
}

/** The same with whose bet it was and where it lay. */
export function statementText(view, one) {
  const holder = boxOf(view, one.box)?.holder;
  let place = placeText(view, one.box, one.hand);
  if (one.bettor !== holder) place = say("{place}; {bettor}’s bet", { bettor: one.bettor, place });
  return `${place}: ${resultText(one)}.`;
}

/** Each bettor's sum with its parts: `Ana: +10 -5 = +5`. */
export function sums(statements) {
  const parts = new Map();
  for (const one of statements) parts.set(one.bettor, [...(parts.get(one.bettor) ?? []), one.net]);
  return [...parts].map(([name, nets]) => {
    const whole = nets.reduce((a, b) => a + b, 0);
    const each = nets.map((one) => amount(one, { signed: true }));
    const text = nets.length > 1 ? `${each.join(" ")} = ${amount(whole, { signed: true })}` : amount(whole, { signed: true });
    return { name, whole, text };
  });
}
