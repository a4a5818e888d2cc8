// Betting: chips by click, tap or key, typed amounts, the same again, twice as much, undo. Every gesture is a bet that
// the table accepts or refuses; what lies on the cloth is only ever what the table says.

import { h } from "./dom.js";
import { chipPicture, chipValues } from "./chips.js";
import { amount, answer, say, units } from "./words.js";
import { betOf, boxOf, lastBets, mine, person, rule, ruleUnits } from "./state.js";

export class Betting {
  constructor(app) {
    this.app = app;
    this.past = [];
    this.repeating = false;
    this.typing = false;
    this.chain = Promise.resolve();
  }

  get state() {
    return this.app.state;
  }

  get open() {
    return this.app.shown.phase === "bets";
  }

  spare() {
    return person(this.state.view, this.state.you)?.chips ?? null;
  }

  /** Whether a bet of mine may be tried on the box: my own, or one that I may back. */
  mayBet(box) {
    const { you } = this.state;
    if (!you || !box.holder) return false;
    if (box.holder === you || betOf(box, you)) return true;
    const mode = rule(this.state, "bet_behind.mode");
    return mode === "open" || (mode === "consent" && box.consents.includes(you));
  }

  places() {
    return this.state.view.boxes.filter((box) => this.mayBet(box));
  }

  /** The box on which the next chip lies. */
  aim() {
    const places = this.places();
    const { ui } = this.app;
    if (!places.some((box) => box.box === ui.target)) ui.target = (places.find((box) => box.holder === this.state.you) ?? null)?.box ?? null;
    return ui.target;
  }

  go(step) {
    const places = this.places().map((box) => box.box);
    if (!places.length) return;
    const at = places.indexOf(this.aim());
    this.app.ui.target = places[(at + step + places.length) % places.length];
    this.app.render();
  }

  laid() {
    const box = boxOf(this.state.view, this.aim() ?? 0);
    return box ? betOf(box, this.state.you) : 0;
  }

  all() {
    return this.state.view.boxes.filter((box) => betOf(box, this.state.you)).map((box) => ({ box: box.box, amount: betOf(box, this.state.you) }));
  }

  // --- deeds; one after the other, so that quick clicks add up

  queue(deed) {
    this.chain = this.chain.then(deed, deed).catch(() => undefined);
    return this.chain;
  }

  remember() {
    this.past.push(this.all());
    if (this.past.length > 50) this.past.shift();
  }

  async place(box, wanted) {
    const told = await this.app.send({ do: "bet", box, amount: wanted, trim: true });
    if (told.type !== "accepted") return false;
    const laid = betOf(boxOf(this.state.view, box), this.state.you);
    if (laid < wanted) this.app.note(say("Trimmed to {amount:chips}: more is not possible here.", { amount: laid }));
    return true;
  }

  /** Nobody needs to look for a chair first: who has none gets a free box near the middle. */
  async seated() {
    if (this.aim() !== null) return true;
    const free = this.state.view.boxes.filter((box) => !box.holder).map((box) => box.box);
    const middle = (this.state.view.boxes.length + 1) / 2;
    free.sort((a, b) => Math.abs(a - middle) - Math.abs(b - middle));
    if (!free.length || mine(this.state).length) return false;
    const told = await this.app.send({ do: "sit", box: free[0] });
    return told.type === "accepted" && this.aim() !== null;
  }

  add(value) {
    return this.queue(async () => {
      if (!(await this.seated())) return;
      const least = ruleUnits(this.state, "bet_min");
      const behind = boxOf(this.state.view, this.aim()).holder !== this.state.you;
      const wanted = this.laid() + value;
      this.remember();
      await this.place(this.aim(), behind ? wanted : Math.max(wanted, least));
    });
  }

  take(value) {
    return this.queue(async () => {
      const laid = this.laid();
      if (!laid) return;
      const left = laid - value;
      this.remember();
      await this.place(this.aim(), left < ruleUnits(this.state, "bet_min") ? 0 : left);
    });
  }

  set(wanted) {
    return this.queue(async () => {
      if (!(await this.seated())) return;
      this.remember();
      await this.place(this.aim(), wanted);
    });
  }

  clear() {
    return this.queue(async () => {
      this.remember();
      if (this.laid()) await this.place(this.aim(), 0);
    });
  }

  double() {
    return this.queue(async () => {
      const bets = this.all();
      if (!bets.length) return this.again(2);
      this.remember();
      for (const one of bets) await this.place(one.box, one.amount * 2);
      return undefined;
    });
  }

  undo() {
    return this.queue(async () => {
      const before = this.past.pop();
      if (!before) return;
      const wanted = new Map(before.map((one) => [one.box, one.amount]));
      for (const one of this.all()) if (!wanted.has(one.box)) await this.place(one.box, 0);
      for (const [box, units_] of wanted) if (betOf(boxOf(this.state.view, box), this.state.you) !== units_) await this.place(box, units_);
    });
  }

  last() {
    const open = new Set(this.places().map((box) => box.box));
    return lastBets(this.state).filter((one) => one.name === this.state.you && open.has(one.box));
  }

  async again(times = 1) {
    this.remember();
    for (const one of this.last()) if (!(await this.place(one.box, one.amount * times))) return false;
    return this.last().length > 0;
  }

  rebet() {
    return this.queue(() => this.again());
  }

  deal() {
    return this.queue(async () => {
      if (this.isReady()) return;
      await this.app.send({ do: "ready" });
    });
  }

  sitOut() {
    return this.queue(async () => {
      for (const one of this.all()) await this.place(one.box, 0);
      await this.app.send({ do: "ready" });
    });
  }

  isReady() {
    return this.state.room?.ready.includes(this.state.you) ?? false;
  }

  toggleRepeat() {
    this.repeating = !this.repeating;
    this.app.render();
    if (this.repeating) this.repeat();
  }

  /** Bets the same again and deals, as long as it is wanted and possible. */
  repeat() {
    const { room } = this.state;
    const rests = room?.clock?.what === "result" || room?.paused;
    if (!this.repeating || !this.open || rests || this.isReady() || this.app.stage.busy || this.trying) return;
    if (room?.sitting_out.includes(this.state.you)) return this.stopRepeating();
    if (!this.all().length && !this.last().length) return undefined;
    this.trying = true;
    return this.queue(async () => {
      const laid = this.all().length > 0 || (await this.again());
      if (laid) await this.app.send({ do: "ready" });
      else this.stopRepeating();
    }).finally(() => (this.trying = false));
  }

  stopRepeating() {
    this.repeating = false;
    this.app.note(say("The bets are no longer repeated."));
  }

  /** A new round: what was done before it cannot be undone. */
  began() {
    this.past = [];
  }

  type(text) {
    const wanted = units(text);
    if (wanted === null) {
      this.app.note(say("That is no amount: {text}", { text: text || "–" }), { bad: true });
      return;
    }
    this.typing = false;
    this.set(wanted);
  }

  // --- to be seen

  why() {
    if (!this.state.you) return say("You are watching.");
    if (!this.open) return say("Bets are for between rounds.");
    if (this.state.room?.paused) return say("The host has paused the table.");
    return "";
  }

  chip(value, at) {
    const why = this.why() || (this.spare() !== null && value > this.spare() ? say("You do not have the chips for that.") : "");
    return h(
      "button",
      {
        type: "button",
        class: "chip-button",
        key: `chip${value}`,
        "data-do": "chip",
        "data-value": value,
        "aria-disabled": why ? "true" : null,
        "data-tip": why,
        "aria-label": say("A chip of {amount:chips}", { amount: value }),
        "aria-keyshortcuts": String(at + 1),
      },
      chipPicture(value),
      h("kbd", {}, String(at + 1)),
    );
  }

  tool(name, key, word, { why = "", pressed = null, main = false, always = false } = {}) {
    const off = always ? "" : this.why() || why;
    return h(
      "button",
      {
        type: "button",
        class: `tool${main ? " main" : ""}`,
        key: name,
        "data-do": name,
        "aria-disabled": off ? "true" : null,
        "data-tip": off,
        "aria-pressed": pressed === null ? null : String(pressed),
        "aria-keyshortcuts": key,
      },
      h("span", { class: "word" }, word),
      h("kbd", {}, key === "Enter" ? "↵" : key),
    );
  }

  tools() {
    const verbs = this.state.about.verbs;
    const laid = this.all();
    const last = this.last();
    const none = say("No bet is laid yet.");
    const noLast = say("There is no earlier bet to lay again.");
    const seated = mine(this.state).length > 0;
    const nobody = laid.length || this.state.view.boxes.some((box) => box.bets.length) ? "" : none;
    return [
      this.tool("rebet", "r", answer("rebet", verbs).word, { why: last.length ? "" : noLast }),
      this.tool("twice", "x", say("Bet ×2"), { why: laid.length || last.length ? "" : noLast }),
      this.tool("undo", "u", say("Undo"), { why: this.past.length ? "" : say("There is nothing to take back.") }),
      this.tool("clear", "c", say("Clear"), { why: this.laid() ? "" : none }),
      this.tool("type", "t", say("Amount"), { pressed: this.typing }),
      this.tool("repeat", "a", say("Repeat"), { pressed: this.repeating, always: this.repeating, why: laid.length || last.length ? "" : noLast }),
      seated && this.tool("sitout", "o", say("Sit out")),
      this.tool("deal", "Enter", answer("deal", verbs).word, { main: this.open && !nobody && !this.isReady(), why: nobody, pressed: this.open && this.isReady() }),
    ];
  }

  field() {
    return h(
      "form",
      { class: "typed", key: "typed", "data-submit": "typed" },
      h("label", { for: "typed" }, say("Bet")),
      h("input", { id: "typed", class: "amount", inputmode: "decimal", autocomplete: "off", maxlength: 14, value: "" }),
      h("button", { type: "submit", class: "quiet small" }, say("Lay")),
    );
  }

  limits() {
    const [least, most] = ["bet_min", "bet_max"].map((key) => ruleUnits(this.state, key));
    return most === null ? say("A bet is at least {least:chips}.", { least }) : say("A bet is {least:chips} to {most:chips}.", { least, most });
  }

  view() {
    const spare = this.spare();
    return h(
      "section",
      { class: `betting${this.open ? "" : " asleep"}`, key: "betting", "aria-label": say("Bets") },
      h(
        "div",
        { class: "stakes" },
        h("div", { class: "rail" }, chipValues(this.state).map((value, at) => this.chip(value, at))),
        h(
          "div",
          { class: "purse" },
          spare !== null && h("p", { class: "spare" }, say("Your chips: {amount:chips}", { amount: spare })),
          this.typing ? this.field() : h("p", { class: "limits", key: "limits" }, this.limits()),
        ),
      ),
      h("div", { class: "tools" }, this.tools()),
    );
  }
}
