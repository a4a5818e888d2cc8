// Actions: one button for each answer, always in its place. What is legal, and why the rest is not, came with the
// question; a button that is not live says its reason when it is pointed at, focused or pressed.

import { h } from "./dom.js";
import { amount, answer, say, units } from "./words.js";
import { prefs } from "./prefs.js";
import { boxOf, playing, questions, rule } from "./state.js";
import { reasonText } from "./telling.js";

const NO = { retire: "keep", insure: "no_insurance", follow: "stay" };

export class Actions {
  constructor(app) {
    this.app = app;
    this.tip = "";
    this.ahead = null;
    this.setting = false;
    this.sent = "";
    this.asked = "";
    this.insurance = "";
  }

  get verbs() {
    return this.app.state.about.verbs;
  }

  /** The question to me that is answered now; several are asked in the order of the boxes. */
  get question() {
    return this.app.shown.questions.find((one) => one.bettor === this.app.state.you) ?? null;
  }

  /** Names the moment: another question, or the same one about another hand, is another moment. */
  get moment() {
    const one = this.question;
    if (!one) return `${this.app.shown.round}.${this.app.shown.phase}`;
    const hands = boxOf(this.app.shown, one.box)?.hands ?? [];
    const cards = hands[one.hand - 1]?.cards.length;
    return [this.app.shown.round, one.kind, one.box, one.hand, hands.length, cards, questions(this.app.state).length].join(".");
  }

  /** The places of the bar, the same for a table's whole life: an answer that no question there has gets none. */
  slots() {
    const { state } = this.app;
    const retire = rule(state, "surrender.mode") !== "none";
    const insure = rule(state, "insurance.who") !== "none";
    const follow = rule(state, "bet_behind.mode") !== "off";
    const no = retire || insure || follow;
    return ["hit", "stand", "double", "split", retire && "retire", insure && "insure", no && "no"].filter(Boolean);
  }

  /** What a place of the bar means for the question that is open: its answer, or the reason why not. */
  meaning(slot) {
    const one = this.question;
    if (!one) return { action: slot === "no" ? "keep" : slot, why: this.notNow() };
    if (slot === "no") return NO[one.kind] ? { action: NO[one.kind], why: "" } : { action: "keep", why: say("This question has no other answer.") };
    if (one.kind === "follow") return slot === one.move ? this.judged(one, "match") : { action: slot, why: say("You are asked whether your bet follows.") };
    return this.judged(one, slot);
  }

  judged(one, action) {
    if (one.legal.includes(action)) return { action, why: "" };
    const refused = one.refused.find(([move]) => move === action);
    if (refused) return { action, why: reasonText(this.app.state.about, refused[1]) };
    return { action, why: action === "insure" ? say("No insurance is offered now.") : say("First answer what is asked.") };
  }

  notNow() {
    return this.app.shown.phase === "bets" ? say("The round begins with the bets.") : say("It is not your turn.");
  }

  price(one, action) {
    if (!one) return null;
    if (action === "match") return one.most;
    return action === "insure" && one.legal.includes("insure") && one.least === one.most ? one.most : null;
  }

  button(slot) {
    const { action, why } = this.meaning(slot);
    const { digit, letter, word } = answer(action, this.verbs);
    const shown = slot === "no" ? { ...answer("keep", this.verbs) } : { digit: action === "match" ? answer(slot, this.verbs).digit : digit, letter, word };
    const price = this.price(this.question, action);
    const live = !why && !this.isSent();
    const chosen = this.ahead === slot;
    const name = `move${live ? " live" : ""}${this.setting ? " setting" : ""}${chosen ? " ahead" : ""}`;
    return h(
      "button",
      {
        type: "button",
        class: name,
        key: slot,
        "data-do": "move",
        "data-slot": slot,
        "aria-disabled": live || this.setting ? null : "true",
        "aria-pressed": this.setting || chosen ? String(chosen) : null,
        "aria-describedby": live ? null : "tip",
        "aria-keyshortcuts": `${shown.digit} ${shown.letter}`,
        "data-tip": why,
      },
      h("kbd", { class: "digit" }, shown.digit),
      h("span", { class: "word" }, shown.word, price === null ? null : h("span", { class: "price" }, amount(price))),
      h("kbd", { class: "letter" }, shown.letter),
    );
  }

  isSent() {
    return this.sent !== "" && this.sent === this.moment;
  }

  view() {
    return h(
      "section",
      { class: "actions", key: "actions", "aria-label": say("Moves") },
      h("div", { class: `moves of-${this.slots().length}` }, this.slots().map((slot) => this.button(slot))),
      this.below(),
    );
  }

  below() {
    const one = this.question;
    const choose = one?.kind === "insure" && one.legal.includes("insure") && one.least < one.most;
    return h(
      "div",
      { class: "below", key: "below" },
      choose ? this.amountField(one) : h("p", { class: "tip", id: "tip", key: "tip" }, this.tip || this.app.late()),
      this.aheadButton(),
    );
  }

  amountField(one) {
    return h(
      "label",
      { class: "tip", key: `amount${one.box}` },
      say("Amount, {least:chips} to {most:chips}", one),
      h("input", { id: "insurance", class: "amount", inputmode: "decimal", autocomplete: "off", value: amount(one.most), "data-enter": "insure" }),
    );
  }

  /** A move may be chosen before one's turn: it is sent when the question comes, if it is legal then. */
  aheadButton() {
    const { state, shown } = this.app;
    const open = shown.boxes.some((box) => box.holder === state.you && box.hands.some((hand) => hand.state === "open" && hand.cards.length));
    const may = open && playing(state) && shown.phase !== "bets" && !this.question;
    if (!may && !this.setting) return null;
    return h(
      "button",
      { type: "button", class: "quiet small", key: "ahead", "data-do": "ahead", "aria-pressed": String(this.setting), "aria-keyshortcuts": "z" },
      h("kbd", {}, "z"),
      this.setting ? say("Choose your next move") : say("Choose ahead"),
    );
  }

  /** A new moment: what was chosen ahead is done if it may be, and forgotten if not. */
  began() {
    this.tip = "";
    this.sure = "";
    if (!this.question || this.question.kind !== "turn") return;
    const slot = this.ahead;
    this.ahead = null;
    this.setting = false;
    if (!slot) return;
    const { why } = this.meaning(slot);
    if (why) this.app.note(say("The move that you chose ahead is not possible: {reason}", { reason: why }), { bad: true });
    else this.decide(slot);
  }

  toggleAhead() {
    this.setting = !this.setting;
    if (!this.setting) this.ahead = null;
    this.app.render();
  }

  /** A place of the bar was pressed. */
  press(slot) {
    if (!this.slots().includes(slot)) return;
    if (this.setting && !this.question) {
      this.ahead = this.ahead === slot ? null : slot;
      this.app.render();
      return;
    }
    const { action, why } = this.meaning(slot);
    if (why) this.explain(why);
    else if (!this.isSent() && this.agreed(action)) this.decide(slot);
  }

  explain(why) {
    this.tip = why;
    this.app.render();
    this.app.speak.tell(why);
  }

  /** Whoever wants to be asked again before a costly choice presses twice. */
  agreed(action) {
    if (!prefs.confirm || !["double", "split", "retire", "insure", "match"].includes(action)) return true;
    if (this.sure === action) return true;
    this.sure = action;
    this.explain(say("{word}? Once more to be sure.", { word: answer(action, this.verbs).word }));
    return false;
  }

  async decide(slot) {
    const { action } = this.meaning(slot);
    const one = this.question;
    const deed = { do: "decide", box: one.box, hand: one.hand, action };
    if (action === "insure") {
      const wanted = this.insuranceAmount(one);
      if (wanted === null) return;
      deed.amount = wanted;
    }
    this.sent = this.moment;
    this.app.render();
    const told = await this.app.send(deed);
    if (told.type === "rejected") this.sent = "";
    this.app.render();
  }

  insuranceAmount(one) {
    const field = document.getElementById("insurance");
    if (!field) return one.most;
    const wanted = units(field.value);
    if (wanted === null || wanted < one.least || wanted > one.most) {
      this.app.note(say("Insurance for how much? {least:chips} to {most:chips}", one), { bad: true });
      field.focus();
      return null;
    }
    return wanted;
  }

  /** The place that a key means, by digit or letter; a letter of "no" goes there too. */
  slotFor(key) {
    return this.slots().find((slot) => {
      const { action } = this.meaning(slot);
      const { digit, letter } = answer(slot === "no" ? "keep" : action, this.verbs);
      const figure = action === "match" ? answer(slot, this.verbs).digit : digit;
      return key === figure || key === letter;
    });
  }

  /** What happens when the time of the question is over. */
  byDefault() {
    const one = this.question;
    if (!one) return "";
    const action = NO[one.kind] ?? (one.legal.includes("stand") ? "stand" : "hit");
    return answer(action, this.verbs).word;
  }
}
