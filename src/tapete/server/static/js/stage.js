// Stage: what has happened is shown one thing at a time. The table behind it is already further; until a card has come
// to its place, neither it nor what follows from it is shown. Without motion all of it appears at once.

import { beat } from "./prefs.js";
import { next } from "./state.js";

const wait = (time) => new Promise((go) => setTimeout(go, time));
const place = (event) => (event.box === 0 ? "dealer" : `${event.box}.${event.hand}`);

function beats(events) {
  const wanted = events.filter(({ event }) => ["Dealt", "Turned", "Checked"].includes(event.type));
  return wanted.map(({ seq, event }) => ({ seq, kind: event.type, at: event.type === "Dealt" ? place(event) : event.type }));
}

export class Stage {
  /** `draw` shows the table; `arrived` moves a card that has just come; `ended` hears of the events once all are shown. */
  constructor({ draw, arrived, ended, missing }) {
    Object.assign(this, { draw, arrived, ended, missing, queue: [], busy: false, state: null, seq: 0 });
    this.coming = new Map();
    this.before = null;
  }

  /** Takes a message of the table. */
  async take(message) {
    if (message.type === "room") {
      this.state = next(this.state, message);
      this.draw();
      return;
    }
    this.queue.push(message);
    if (this.busy) return;
    this.busy = true;
    while (this.queue.length) await this.play(this.queue.shift());
  }

  /** Shows the rest at once. */
  hurry() {
    this.hurried = true;
    this.wake?.();
  }

  async play(message) {
    const after = next(this.state, message);
    if (after === null) {
      this.queue.length = 0;
      this.busy = false;
      this.missing();
      return;
    }
    this.before = this.state.view;
    const events = message.type === "update" && after !== this.state ? message.events : [];
    this.state = after;
    await this.steps(events);
    this.seq = after.seq;
    this.busy = this.queue.length > 0;
    this.draw();
    if (after.view) this.ended(events, message.type);
  }

  async steps(events) {
    const list = beat() && this.queue.length < 3 ? beats(events) : [];
    this.hurried = false;
    this.coming = new Map();
    for (const { at } of list) this.coming.set(at, (this.coming.get(at) ?? 0) + 1);
    for (const step of list) {
      if (this.hurried) break;
      this.coming.set(step.at, this.coming.get(step.at) - 1);
      this.seq = step.seq;
      this.draw();
      this.arrived(step, beat());
      await Promise.race([wait(beat()), new Promise((go) => (this.wake = go))]);
    }
    this.coming.clear();
  }

  /** The view as far as it may be shown now. */
  shown() {
    const { view } = this.state;
    if (!this.busy || !this.before) return view;
    return {
      ...view,
      phase: "dealing",
      questions: [],
      statements: [],
      dealer: this.dealer(view.dealer),
      boxes: view.boxes.map((box) => ({ ...box, hands: box.hands.map((hand, at) => this.hand(box, hand, at + 1)) })),
    };
  }

  dealer(dealer) {
    const missing = this.coming.get("dealer") ?? 0;
    const turning = this.coming.get("Turned") > 0;
    if (!missing && !turning) return dealer;
    const cards = dealer.cards.slice(0, dealer.cards.length - missing).map((card, at) => (turning && at === 1 ? "??" : card));
    return { ...dealer, cards, total: 0, blackjack: false, bust: false };
  }

  hand(box, hand, number) {
    const missing = this.coming.get(`${box.box}.${number}`) ?? 0;
    if (!missing) return hand.state === "blackjack" || hand.state === "bust" ? hand : { ...hand, state: "open" };
    return { ...hand, cards: hand.cards.slice(0, hand.cards.length - missing), total: null, state: "open" };
  }
}
