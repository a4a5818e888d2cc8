// Seats: who sits where, who bets behind whom with whose leave, and what the host of a table may do.

import { h } from "./dom.js";
import { plural, say } from "./words.js";
import { betOf, isHost, mine, person, playing, rule, ruleUnits } from "./state.js";

const button = (text, attributes) => h("button", { type: "button", class: "quiet small", ...attributes }, text);

export class Seats {
  constructor(app) {
    this.app = app;
  }

  get state() {
    return this.app.state;
  }

  get idle() {
    return this.app.shown.phase === "bets";
  }

  waits() {
    return this.idle ? {} : { "aria-disabled": "true", "data-tip": say("The round has to end first.") };
  }

  mayHoldMore() {
    return this.state.you && mine(this.state).length < Number(rule(this.state, "boxes_per_player"));
  }

  /** What may be done with a box, on the box itself. */
  boxButtons(box) {
    if (!this.idle && box.hands.length) return null;
    const found = [];
    const { box: number } = box;
    if (!box.holder) {
      if (this.mayHoldMore()) found.push(button(say("Sit here"), { "data-do": "sit", "data-box": number, key: "sit", ...this.waits() }));
    } else if (this.mayAsk(box)) {
      const asked = this.state.room?.requests.some((one) => one.box === number && one.name === this.state.you);
      found.push(
        asked
          ? h("span", { class: "note", key: "asked" }, say("asked"))
          : button(say("Ask to bet behind"), { "data-do": "ask", "data-box": number, key: "ask", ...this.waits() }),
      );
    }
    return found.length ? h("div", { class: "box-buttons", key: "buttons" }, found) : null;
  }

  mayAsk(box) {
    const { you } = this.state;
    return you && box.holder && box.holder !== you && rule(this.state, "bet_behind.mode") === "consent" && !box.consents.includes(you);
  }

  /** Who asks me for leave to bet on a box of mine. */
  requests() {
    const own = new Set(mine(this.state).map((box) => box.box));
    return (this.state.room?.requests ?? []).filter((one) => own.has(one.box));
  }

  requestBar() {
    const asking = this.requests();
    if (!asking.length) return null;
    return h(
      "div",
      { class: "requests", key: "requests", role: "group", "aria-label": say("Requests") },
      asking.map((one) =>
        h(
          "p",
          { key: `${one.box}${one.name}` },
          h("span", {}, say("{name} asks to bet on your box {box}.", one)),
          button(say("Agree"), { "data-do": "consent", "data-box": one.box, "data-name": one.name, "data-yes": "1", ...this.waits() }),
          button(say("Refuse"), { "data-do": "consent", "data-box": one.box, "data-name": one.name, ...this.waits() }),
        ),
      ),
    );
  }

  // --- the dialog of people and boxes

  dialog() {
    return [
      h("h2", { id: "dialog-title" }, say("People and boxes")),
      h("ul", { class: "plain seats-list" }, this.state.view.boxes.map((box) => this.boxRow(box))),
      h("h3", {}, say("People")),
      h("ul", { class: "plain people-list" }, this.state.view.people.map((one) => this.personRow(one))),
      h("p", { class: "note" }, this.watching()),
      this.shareRow(),
      this.hostRow(),
      h("p", { class: "rowed" }, this.refill(), this.state.you && button(say("Leave the table"), { "data-do": "leave" })),
    ];
  }

  /** Whoever is here and not at the table, with a name or without one. */
  watching() {
    const { room, view } = this.state;
    const looking = (room?.present ?? []).filter((name) => !person(view, name));
    return plural("{n} person is watching.", "{n} people are watching.", looking.length + (room?.watching ?? 0));
  }

  boxRow(box) {
    const number = box.box;
    const own = box.holder && box.holder === this.state.you;
    const others = this.state.view.people.filter((one) => one.name !== this.state.you && !one.bot);
    return h(
      "li",
      { key: `s${number}` },
      h("span", { class: "number" }, String(number)),
      h("span", { class: "name" }, box.holder || say("free")),
      !box.holder && this.mayHoldMore() && button(say("Sit here"), { "data-do": "sit", "data-box": number, ...this.waits() }),
      !box.holder && isHost(this.state) && this.state.view.boxes.length > 1 && button(say("House bot"), { "data-do": "bot", "data-box": number, ...this.waits() }),
      own && button(say("Stand up"), { "data-do": "stand", "data-box": number, ...this.waits() }),
      this.mayAsk(box) && button(say("Ask to bet behind"), { "data-do": "ask", "data-box": number, ...this.waits() }),
      own && rule(this.state, "bet_behind.mode") === "consent" && others.length > 0 && h("span", { class: "consents" }, others.map((one) => this.consentBox(box, one.name))),
    );
  }

  consentBox(box, name) {
    const agreed = box.consents.includes(name);
    return button(agreed ? say("{name} may bet behind", { name }) : say("Let {name} bet behind", { name }), {
      "data-do": "consent",
      "data-box": box.box,
      "data-name": name,
      "data-yes": agreed ? "" : "1",
      "aria-pressed": String(agreed),
      ...this.waits(),
    });
  }

  personRow(one) {
    const host = isHost(this.state) && one.name !== this.state.you;
    const here = one.bot || this.state.room?.present.includes(one.name);
    return h(
      "li",
      { key: `p${one.name}` },
      h("span", { class: "name" }, one.name),
      h("span", { class: "note" }, one.bot ? say("house bot") : say("{amount:chips} chips", { amount: one.chips })),
      !here && h("span", { class: "tag" }, say("away")),
      this.state.room?.host === one.name && h("span", { class: "tag" }, say("host")),
      host && button(say("Remove"), { "data-do": "remove", "data-name": one.name }),
      host && !one.bot && button(say("Make host"), { "data-do": "hand-over", "data-name": one.name }),
    );
  }

  shareRow() {
    const link = document.getElementById("table").dataset.link ?? location.href;
    return h("p", { class: "rowed" }, h("label", { for: "share" }, say("Link for friends")), h("input", { id: "share", readonly: true, value: link }), button(say("Copy"), { "data-do": "copy" }));
  }

  hostRow() {
    if (!isHost(this.state)) return null;
    const paused = this.state.room.paused;
    return h(
      "p",
      { class: "rowed" },
      button(paused ? say("Go on") : say("Pause the table"), { "data-do": "pause", "data-on": paused ? "" : "1", "aria-pressed": String(paused) }),
      button(this.state.room.closing ? say("The table closes after this round.") : say("Close the table"), { "data-do": "close-table", "aria-disabled": this.state.room.closing ? "true" : null }),
    );
  }

  /** New chips, for those who can no longer bet. */
  refill() {
    const { view, you } = this.state;
    const one = person(view, you);
    const laid = view.boxes.reduce((sum, box) => sum + betOf(box, you), 0);
    if (!one || playing(this.state) || one.chips + laid >= ruleUnits(this.state, "bet_min")) return null;
    return h("button", { type: "button", class: "tool main", "data-do": "refill" }, say("New chips"), h("kbd", {}, "f"));
  }
}
