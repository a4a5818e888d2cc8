// Speak: the round in words for whoever listens instead of looking, as much of it as they wish.

import { amount, say, told } from "./words.js";
import { boxOf, mine, person } from "./state.js";
import { prefs } from "./prefs.js";
import { cardNames, dealerTotal, placeText, questionText, stateText, totalText } from "./telling.js";

const ALWAYS = ["Voided", "Paused", "Hosted", "ShoeReady"];
const TABLE = ["Dealt", "Decided", "Turned", "Checked", "Lock", "Sat", "StoodUp", "Consented", "Left", "Joined"];

export class Speak {
  constructor(app) {
    this.app = app;
    this.region = document.getElementById("spoken");
    this.flip = false;
  }

  /** Says a text through the live region; the same text twice is said twice. */
  tell(text) {
    if (!this.region || !text) return;
    this.flip = !this.flip;
    this.region.textContent = this.flip ? text : `${text}\u00a0`;
  }

  concerns(event, own) {
    if (ALWAYS.includes(event.type)) return true;
    if (prefs.verbosity === "all") return TABLE.includes(event.type) || event.type === "Placed";
    if (event.type === "Turned" || event.type === "Checked") return prefs.verbosity === "usual";
    if (event.type === "Dealt" && event.box === 0) return prefs.verbosity === "usual";
    if (event.type === "Dealt" || event.type === "Decided") return own.has(event.box);
    return event.type === "Consented" && event.name === this.app.state.you;
  }

  /** Tells what of these events concerns the listener, then what is asked of them. */
  events(events) {
    const own = new Set(mine(this.app.state).map((box) => box.box));
    const heard = events.filter(({ event }, at) => this.concerns(event, own) || at === events.length - 1 && this.ended(events));
    const parts = heard.map((one) => told(one.text));
    const question = this.app.actions.question;
    if (question) parts.push(questionText(this.app.shown, question));
    this.tell(parts.join("\n"));
  }

  ended(events) {
    return this.app.state.view.phase === "bets" && events.some(({ event }) => ["Dealt", "Decided", "Turned"].includes(event.type));
  }

  // --- on demand

  hand() {
    const { shown, state } = this.app;
    const texts = mine(state).flatMap((box) => {
      const seen = boxOf(shown, box.box);
      return seen.hands.map((hand, at) => {
        const told_ = [cardNames(hand.cards), totalText(hand), stateText(hand)].filter(Boolean).join("; ");
        return `${placeText(shown, box.box, at + 1)}: ${told_}.`;
      });
    });
    this.tell(texts.join("\n") || say("You have no cards."));
  }

  dealer() {
    const { dealer } = this.app.shown;
    const text = dealer.cards.length ? `${cardNames(dealer.cards)}; ${dealerTotal(dealer)}` : say("no cards");
    this.tell(`${this.app.dealerName()}: ${text}.`);
  }

  bets() {
    const { shown, state } = this.app;
    const ready = shown.boxes.flatMap((box) => box.bets.map((bet) => `${placeText(shown, box.box)}; ${bet.name}: ${amount(bet.amount)}.`));
    const laid = shown.boxes.flatMap((box) => box.hands.flatMap((hand, at) => hand.bets.map((bet) => `${placeText(shown, box.box, at + 1)}; ${bet.name}: ${amount(bet.amount + bet.added)}.`)));
    const chips = person(state.view, state.you)?.chips;
    const purse = chips === undefined ? [] : [say("Your chips: {amount:chips}", { amount: chips })];
    this.tell([...(ready.length ? ready : laid), ...purse].join("\n") || say("No bet is laid yet."));
  }

  turn() {
    this.tell(this.app.status());
  }
}
