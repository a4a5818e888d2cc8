// The table: brings the parts together. The server decides everything; this shows it and sends what a person wants.

import { Actions } from "./actions.js";
import { Betting } from "./betting.js";
import { chipValues } from "./chips.js";
import { Clock } from "./clock.js";
import { DEEDS, GUARDED } from "./deeds.js";
import { Dialogs } from "./dialogs.js";
import { children, h } from "./dom.js";
import { Fair } from "./fair.js";
import { felt } from "./felt.js";
import { wire } from "./gestures.js";
import { Guard } from "./keys.js";
import { atEnd, follow, logPanel } from "./log.js";
import { Net } from "./net.js";
import { arrive } from "./motion.js";
import { dress } from "./prefs.js";
import { center } from "./results.js";
import { Seats } from "./seats.js";
import * as sound from "./sound.js";
import { Speak } from "./speak.js";
import { Stage } from "./stage.js";
import { fresh, playing } from "./state.js";
import { dealerName, questionText, placeText, sums } from "./telling.js";
import { logOpen, top } from "./top.js";
import { load, say, told } from "./words.js";

const root = document.getElementById("table");
const narrow = matchMedia("(max-width: 55.99rem)");

class App {
  constructor() {
    this.ui = { target: null, dialog: null, line: "off", said: "", bad: false };
    this.stage = new Stage({
      draw: () => this.render(),
      arrived: (step, time) => arrive(step, time),
      ended: (events, type) => this.ended(events, type),
      missing: () => this.net.again(),
    });
    this.stage.state = fresh();
    this.guard = new Guard();
    this.actions = new Actions(this);
    this.betting = new Betting(this);
    this.seats = new Seats(this);
    this.fair = new Fair(this);
    this.clock = new Clock(this);
    this.speak = new Speak(this);
    this.dialogs = new Dialogs(this);
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    this.net = new Net(`${scheme}://${location.host}/ws/${root.dataset.code}`, (message) => this.heard(message), (line) => this.connection(line));
  }

  get state() {
    return this.stage.state;
  }

  get shown() {
    return this.stage.shown();
  }

  get narrow() {
    return narrow.matches;
  }

  logOpen = () => logOpen(this);
  chipAt = (at) => (at >= 0 ? chipValues(this.state)[at] : undefined);

  dealerName() {
    return dealerName(this.state.about);
  }

  // --- the server

  heard(message) {
    if (message.type === "bye") this.farewell(message);
    else {
      if (message.type === "room") this.clock.set(message.clock);
      this.stage.take(message);
      if (message.type === "room" && this.state.view) this.settled();
    }
  }

  farewell(message) {
    if (this.net.over) this.ui.line = "over";
    this.ui.said = this.net.over ? say("This table is closed.") : say("The connection ended; it comes back by itself.");
    this.ui.bad = true;
    this.render();
  }

  connection(line) {
    this.ui.line = line;
    this.render();
  }

  /** Sends a deed as it was seen; a refusal is told in words. */
  async send(deed, { quiet = false } = {}) {
    const seen = { round: this.shown.round, seq: this.stage.seq };
    const answer = await this.net.send(deed, seen);
    if (answer.type === "rejected" && !quiet) this.note(told(answer.text), { bad: true });
    return answer;
  }

  ended(events, type) {
    if (type === "snapshot") this.fair.opening = null;
    this.fair.heard(type === "snapshot" ? this.state.log : events);
    if (events.some(({ event }) => event.type === "Lock")) this.betting.began();
    if (events.length) this.speak.events(events);
    this.sounds(events);
    this.settled();
  }

  sounds(events) {
    if (events.some(({ event }) => event.type === "Placed")) sound.chip();
    if (this.actions.question) sound.turn();
    const mine = sums(this.state.view.statements).find((one) => one.name === this.state.you);
    if (!playing(this.state) && mine?.whole > 0 && events.some(({ event }) => event.type === "Dealt" || event.type === "Decided")) sound.won();
  }

  /** After everything that was told is shown: what follows by itself. */
  settled() {
    this.fair.watch();
    this.betting.repeat();
  }

  // --- telling

  note(text, { bad = false } = {}) {
    this.ui.said = text;
    this.ui.bad = bad;
    this.render();
    this.speak.tell(text);
  }

  /** Whose turn it is and what may be done, in one sentence. */
  status() {
    const { shown, state } = this;
    if (this.actions.question) return questionText(shown, this.actions.question);
    if (shown.phase === "questions" && shown.questions.length) {
      const names = [...new Set(shown.questions.map((one) => one.bettor))].join(", ");
      const place = shown.questions.length === 1 ? placeText(shown, shown.questions[0].box, shown.questions[0].hand) : names;
      return say("The table waits for {place}.", { place });
    }
    if (shown.phase !== "bets") return say("The cards are dealt.");
    return this.between(state);
  }

  between({ room, view, you }) {
    if (room?.paused) return say("The host has paused the table.");
    if (room?.cutter) return say("{name} cuts the shoe.", { name: room.cutter });
    if (!you) return say("You are watching.");
    if (room?.sitting_out.includes(you)) return say("You sit out: the clock answered for you twice. Bet to come back.");
    if (room?.clock?.what === "result") return say("The round is over.");
    if (this.betting.isReady() && room.short) return say("Your bets are made. Boxes with a bet that the round still needs: {count}.", { count: room.short });
    if (this.betting.isReady()) return say("Your bets are made. The table waits for the others.");
    if (!view.boxes.some((box) => box.holder === you)) return say("Lay a chip to sit down and bet, or choose a box.");
    return this.betting.all().length ? say("Deal, or lay more.") : say("Lay your bet.");
  }

  lockNumber(seq) {
    const locks = this.state.log.filter((one) => one.event.type === "Lock");
    return this.state.view.round - (locks.length - 1 - locks.findIndex((one) => one.seq === seq));
  }

  // --- drawing

  /** What happens when the time for my question is over. */
  late() {
    const runs = this.actions.question && this.clock.clock?.what === "question";
    return runs ? say("When time is up: {answer}.", { answer: this.actions.byDefault() }) : "";
  }

  said() {
    return h(
      "div",
      { class: "said", key: "said" },
      h("p", { class: `status${this.actions.question ? " yours" : ""}` }, this.status()),
      h("p", { class: `word${this.ui.bad ? " bad" : ""}`, key: "word" }, this.ui.said),
      this.seats.requestBar(),
    );
  }

  desk() {
    return h("div", { class: "desk", key: "desk" }, this.said(), this.dock());
  }

  dock() {
    const bets = this.shown.phase === "bets";
    const broke = this.seats.refill();
    return h("div", { class: `dock ${bets ? "bets" : "plays"}`, key: "dock" }, this.betting.view(), this.actions.view(), broke);
  }

  render() {
    if (!this.state.view) return;
    const had = document.activeElement;
    const end = atEnd();
    this.moment();
    if (this.betting.open) this.betting.aim();
    root.classList.toggle("with-log", this.logOpen());
    root.classList.toggle("narrow", this.narrow);
    root.dataset.phase = this.shown.phase;
    root.dataset.results = center(this) ? "yes" : "no";
    dress(root);
    children(root, [top(this), felt(this), this.desk(), ...(this.logOpen() ? [logPanel(this)] : [])]);
    follow(end);
    this.dialogs.draw();
    if (had && had !== document.body && !had.isConnected) root.querySelector(".move.live, .tool.main, #deal")?.focus();
  }

  moment() {
    if (this.stage.busy || !this.guard.now(this.actions.moment)) return;
    this.ui.said = "";
    this.ui.bad = false;
    this.actions.began();
  }

  openDialog(name) {
    this.dialogs.open(name);
    this.guard.begin();
  }

  closeDialog() {
    this.dialogs.close();
  }

  // --- doing

  act(name, data, event) {
    const deed = DEEDS[name];
    if (!deed) return;
    if (GUARDED.has(name) && !this.guard.takes(event.key ?? `click ${name} ${data.slot ?? ""}`, event)) return;
    deed(this, data);
  }
}

async function begin() {
  await load(root.dataset.lang);
  const app = new App();
  wire(app, narrow);
  app.net.open();
}

begin();
