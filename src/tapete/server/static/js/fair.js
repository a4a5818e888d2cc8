// Fair: this browser's part in the shuffle. For each new shoe it promises a seed of its own before it can know
// anything, opens it when the list is closed, and keeps the table's promise to hold it against what is revealed later.

import { newSeed, seedHash } from "./fair/verify.js";
import { h } from "./dom.js";
import { say } from "./words.js";
import { prefs } from "./prefs.js";
import { person } from "./state.js";

const KEY = "tapete.shoes";
const MOST = 60;

function read() {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "[]");
  } catch {
    return [];
  }
}

function write(kept) {
  try {
    localStorage.setItem(KEY, JSON.stringify(kept.slice(-MOST)));
  } catch {
    // Without storage the seed lasts as long as the page.
  }
}

export class Fair {
  constructor(app) {
    this.app = app;
    this.kept = read();
    this.opening = null;
    this.cutting = false;
  }

  get code() {
    return this.app.state.about.code;
  }

  shoe(id) {
    return this.kept.find((one) => one.table === this.code && one.id === id);
  }

  keep(record, more = {}) {
    const known = this.shoe(record.id);
    if (known) Object.assign(known, more);
    else this.kept.push({ table: this.code, id: record.id, commitment: record.commitment, packs: record.packs, ...more });
    write(this.kept);
  }

  /** Reads what the log tells about shoes. */
  heard(events) {
    for (const { event } of events) {
      if (event.type === "ShoeOpened") this.begin(event.record);
      else if (event.type === "SeedPromised" && this.opening) this.opening.givers.push(event.name);
      else if (event.type === "SeedsClosed" && this.opening) this.opening.closed = true;
      else if (event.type === "SeedOpened" && this.opening) this.opening.opened.add(event.name);
      else if (event.type === "ShoeReady") this.ready(event.record);
      else if (event.type === "ShoeRetired") this.keep(event.record, { secret: event.record.secret });
    }
    this.part();
  }

  begin(record) {
    this.opening = { record, givers: [], closed: false, opened: new Set() };
    this.keep(record);
  }

  ready(record) {
    const known = this.shoe(record.id);
    if (known && known.commitment !== record.commitment) this.app.note(say("The promise of this shoe is not the one that was given before."), { bad: true });
    this.keep(record, { cut: record.cut });
    this.opening = null;
    this.promising = this.opened = null;
  }

  /** Takes part: promises a seed while the list is open, opens it once it is closed. */
  part() {
    const { state, opening } = { state: this.app.state, opening: this.opening };
    if (!opening || !person(state.view, state.you)) return;
    const { id } = opening.record;
    const given = opening.givers.includes(state.you);
    if (!opening.closed && !given && prefs.seeds && this.promising !== id) this.promise(id);
    else if (opening.closed && given && !opening.opened.has(state.you) && this.opened !== id) this.open(id);
  }

  async promise(id) {
    this.promising = id;
    const seed = newSeed();
    this.keep(this.opening.record, { seed });
    const told = await this.app.send({ do: "promise_seed", hash: seedHash(seed) }, { quiet: true });
    if (told.type === "rejected") this.promising = null;
  }

  open(id) {
    const seed = this.shoe(id)?.seed;
    if (!seed) return;
    this.opened = id;
    this.app.send({ do: "open_seed", seed }, { quiet: true });
  }

  // --- the cut

  cards() {
    const packs = this.opening?.record.packs ?? [];
    return 52 * packs.reduce((sum, one) => sum + one, 0);
  }

  /** The dialog opens by itself for the person who is to cut, and closes when the cut is made. */
  watch() {
    const due = Boolean(this.app.state.you) && this.app.state.room?.cutter === this.app.state.you;
    const began = due && !this.cutting;
    const ended = !due && this.cutting;
    this.cutting = due;
    if (began) {
      this.sent = false;
      this.app.openDialog("cut");
    }
    if (ended && this.app.ui.dialog === "cut") this.app.closeDialog();
  }

  /** Cuts where the slider stands, once; a dialog that is closed has been answered too. */
  cut() {
    const at = Number(document.getElementById("cut-at")?.value ?? 0);
    if (this.cutting && !this.sent) this.app.send({ do: "cut", at }, { quiet: true });
    this.sent = true;
  }

  cutDialog() {
    const cards = this.cards() || 52;
    return [
      h("h2", { id: "dialog-title" }, say("You cut the shoe")),
      h("p", {}, say("Choose how many cards are lifted off. Nobody knows what lies where; this makes sure that nobody could have planned it.")),
      h(
        "form",
        { "data-submit": "cut", class: "cut" },
        h("label", { for: "cut-at" }, say("Cards lifted off")),
        h("input", { id: "cut-at", type: "range", min: 1, max: cards - 1, value: Math.floor(cards / 2), "data-live": "cut-out" }),
        h("output", { id: "cut-out", for: "cut-at", "data-still": "out" }, String(Math.floor(cards / 2))),
        h("button", { type: "submit", class: "tool main" }, say("Cut here")),
      ),
    ];
  }

  // --- what is known of the shoes

  dialog() {
    const shoes = this.kept.filter((one) => one.table === this.code).slice(-6).reverse();
    return [
      h("h2", { id: "dialog-title" }, say("Fair shuffles")),
      h("p", {}, say("Before the bets the table promises each shoe by its hash. Your browser adds a seed of its own and keeps both here; when the shoe is done with, its secret is published and everything can be checked.")),
      shoes.length ? h("ol", { class: "plain shoes" }, shoes.map((one) => this.row(one))) : h("p", {}, say("No shoe was promised yet.")),
      h("p", {}, h("a", { href: "/verify", target: "_blank" }, say("Check a history"))),
    ];
  }

  row(one) {
    return h(
      "li",
      { key: one.id },
      h("h3", {}, one.id, " ", h("span", { class: "tag" }, one.secret ? say("revealed") : say("pending"))),
      h("dl", {}, h("dt", {}, say("Promise")), h("dd", {}, h("code", {}, one.commitment)), one.seed && [h("dt", {}, say("Your seed")), h("dd", {}, h("code", {}, one.seed))], one.secret && [h("dt", {}, say("Secret")), h("dd", {}, h("code", {}, one.secret))]),
    );
  }
}
