// The table: brings the parts together. The server decides everything; this shows it and sends what a person wants.

import { Actions } from "./actions.js";
import { Betting } from "./betting.js";
import { chipValues } from "./chips.js";
import { Clock } from "./clock.js";
import { Dialogs } from "./dialogs.js";
import { children, h } from "./dom.js";
import { Fair } from "./fair.js";
import { felt } from "./felt.js";
import { Guard, listen } from "./keys.js";
import { atEnd, follow, logPanel } from "./log.js";
import { Net } from "./net.js";
import { arrive } from "./motion.js";
import { dress, prefs, set, SPEEDS } from "./prefs.js";
import { center } from "./results.js";
import { Seats } from "./seats.js";
import * as sound from "./sound.js";
import { Speak } from "./speak.js";
import { Stage } from "./stage.js";
import { fresh, person, playing } from "./state.js";
import { questionText, placeText, sums } from "./telling.js";
import { logOpen, top } from "./top.js";
import { language, load, say, told } from "./words.js";

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
    return this.state.about.preset === "home" ? say("The House") : say("Dealer");
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
    if (this.actions.question && this.narrow) requestAnimationFrame(() => document.querySelector(".front")?.scrollIntoView({ block: "nearest" }));
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

const GUARDED = new Set(["move", "deal", "rebet", "twice", "consent", "leave-now", "sitout"]);

function cycle(name, values) {
  const value = values[(values.indexOf(prefs[name]) + 1) % values.length];
  set(name, value);
  return value;
}

async function post(path, fields) {
  await fetch(path, { method: "POST", body: new URLSearchParams({ ...fields, back: "/static/js/table.js" }), redirect: "manual" });
}

async function speakIn(app, wanted) {
  await load(wanted);
  document.documentElement.lang = wanted;
  document.title = `${told(app.state.about.title)} · Tapete`;
  app.render();
  post("/lang", { lang: wanted });
}

function lit(app, theme) {
  document.documentElement.dataset.theme = theme;
  app.render();
  post("/theme", { theme });
}

function nextTheme() {
  const themes = ["auto", "light", "dark"];
  return themes[(themes.indexOf(document.documentElement.dataset.theme || "auto") + 1) % 3];
}

const DEEDS = {
  move: (app, { slot }) => app.actions.press(slot),
  ahead: (app) => app.actions.toggleAhead(),
  chip: (app, { value }) => app.betting.add(Number(value)),
  "chip-back": (app, { value }) => app.betting.take(Number(value)),
  target: (app, { box }) => {
    app.ui.target = Number(box);
    app.render();
  },
  go: (app, { step }) => app.betting.go(Number(step)),
  rebet: (app) => app.betting.rebet(),
  twice: (app) => app.betting.double(),
  undo: (app) => app.betting.undo(),
  clear: (app) => app.betting.clear(),
  repeat: (app) => app.betting.toggleRepeat(),
  sitout: (app) => app.betting.sitOut(),
  deal: (app) => app.betting.deal(),
  type: (app) => {
    app.betting.typing = !app.betting.typing;
    app.render();
    document.getElementById("typed")?.focus();
  },
  sit: (app, { box }) => app.send({ do: "sit", box: Number(box) }),
  stand: (app, { box }) => app.send({ do: "stand_up", box: Number(box) }),
  ask: (app, { box }) => app.send({ do: "ask_consent", box: Number(box) }),
  consent: (app, { box, name, yes }) => app.send({ do: "consent", box: Number(box), name, agrees: Boolean(yes) }),
  bot: (app, { box }) => app.send({ do: "seat_bot", box: Number(box) }),
  remove: (app, { name }) => app.send({ do: "remove", name }),
  "hand-over": (app, { name }) => app.send({ do: "hand_over", name }),
  pause: (app, { on }) => app.send({ do: "pause", on: Boolean(on) }),
  "close-table": (app) => app.send({ do: "close" }),
  refill: (app) => app.seats.refill() && app.send({ do: "refill" }),
  leave: (app) => app.openDialog("leave"),
  "leave-now": async (app) => {
    if (person(app.state.view, app.state.you)) await app.send({ do: "leave" });
    location.assign("/");
  },
  statement: (app) => app.openDialog("statement"),
  people: (app) => app.openDialog("people"),
  settings: (app) => app.openDialog("settings"),
  help: (app) => app.openDialog("help"),
  fair: (app) => app.openDialog("fair"),
  "close-dialog": (app) => app.closeDialog(),
  rules: (app) => window.open(`/t/${app.state.about.code}/rules`, "_blank"),
  log: (app) => {
    set("log", !app.logOpen());
    app.render();
  },
  deck: (app) => app.note(cycle("deck", ["two", "four"]) === "four" ? say("The suits have four colours.") : say("The suits have two colours.")),
  speed: (app) => {
    cycle("speed", Object.keys(SPEEDS));
    app.note(say("Speed of the cards: {speed}", { speed: { none: say("none"), fast: say("fast"), normal: say("usual"), slow: say("slow") }[prefs.speed] }));
  },
  language: (app) => speakIn(app, language() === "es" ? "en" : "es"),
  theme: (app) => lit(app, nextTheme()),
  "read-hand": (app) => app.speak.hand(),
  "read-dealer": (app) => app.speak.dealer(),
  "read-bets": (app) => app.speak.bets(),
  "read-turn": (app) => app.speak.turn(),
  copy: async (app) => {
    const field = document.getElementById("share");
    field.select();
    await navigator.clipboard?.writeText(field.value).catch(() => undefined);
    app.note(say("The link is copied."));
  },
  escape: (app) => {
    if (app.betting.typing) app.betting.typing = false;
    else if (app.actions.setting) app.actions.toggleAhead();
    else if (app.narrow && app.logOpen()) set("log", false);
    app.ui.said = "";
    app.render();
  },
};

// --- listening ------------------------------------------------------------------------------------------------------

function chosen(app, field) {
  const { pref } = field.dataset;
  if (pref === "language") speakIn(app, field.value);
  else if (pref === "theme") lit(app, field.value);
  else set(pref, { true: true, false: false }[field.value] ?? field.value);
  app.render();
}

function submitted(app, form) {
  if (form.dataset.submit === "typed") app.betting.type(form.querySelector("input").value);
  else if (form.dataset.submit === "cut") app.closeDialog();
}

const LONG = 500;

/** A second gesture takes a chip back: a right click, or a press that lasts. */
function backwards(app) {
  const back = (target) => {
    const chip = target.closest?.("[data-do='chip']");
    if (chip) app.act("chip-back", chip.dataset, new Event("x"));
    else if (target.closest?.(".spot")) app.betting.undo();
    return Boolean(chip || target.closest?.(".spot"));
  };
  document.addEventListener("contextmenu", (event) => {
    if (!event.target.closest?.("[data-do='chip'], .spot")) return;
    event.preventDefault();
    if (!held.done) back(event.target);
  });
  const held = { timer: 0, done: false };
  document.addEventListener("pointerdown", (event) => {
    held.done = false;
    clearTimeout(held.timer);
    if (event.pointerType === "mouse") return;
    held.timer = setTimeout(() => (held.done = back(event.target)), LONG);
  });
  for (const name of ["pointerup", "pointercancel"]) document.addEventListener(name, () => clearTimeout(held.timer));
  document.addEventListener("click", (event) => held.done && (event.stopPropagation(), (held.done = false)), true);
}

/** A button that is not live says why when it is pointed at, focused or pressed. */
function tips(app) {
  const show = (event) => {
    const target = event.target.closest?.("[data-tip]");
    if (!target?.dataset.tip || app.actions.tip === target.dataset.tip) return;
    app.actions.tip = target.dataset.tip;
    app.render();
  };
  for (const name of ["pointerover", "focusin", "pointerdown"]) document.addEventListener(name, show);
}

function wire(app) {
  document.addEventListener("click", (event) => {
    const target = event.target.closest("[data-do]");
    if (!target) return;
    if (target.getAttribute("aria-disabled") === "true" && target.dataset.do !== "move") {
      if (target.dataset.tip) app.note(target.dataset.tip);
      return;
    }
    app.act(target.dataset.do, target.dataset, event);
  });
  document.addEventListener("change", (event) => event.target.dataset.pref && chosen(app, event.target));
  document.addEventListener("input", (event) => {
    const out = event.target.dataset.live && document.getElementById(event.target.dataset.live);
    if (out) out.textContent = event.target.value;
  });
  document.addEventListener("submit", (event) => {
    event.preventDefault();
    submitted(app, event.target);
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && event.target.dataset?.enter) app.act("move", { slot: event.target.dataset.enter }, event);
  });
  backwards(app);
  tips(app);
  listen(app, (name, data, event) => app.act(name, data, event));
  narrow.addEventListener("change", () => app.render());
}

async function begin() {
  await load(root.dataset.lang);
  const app = new App();
  wire(app);
  app.net.open();
}

begin();
