// Deeds: what each button and each key does. Whatever changes the table is sent to it, and nothing is done before it answers.

import { prefs, set, SPEEDS } from "./prefs.js";
import { person } from "./state.js";
import { language, load, say, told } from "./words.js";

/** What answers a question: a press of these that comes too soon, or is held, means nothing. */
export const GUARDED = new Set(["move", "deal", "rebet", "twice", "consent", "leave-now", "sitout"]);

function cycle(name, values) {
  const value = values[(values.indexOf(prefs[name]) + 1) % values.length];
  set(name, value);
  return value;
}

async function post(path, fields) {
  await fetch(path, { method: "POST", body: new URLSearchParams({ ...fields, back: "/static/js/table.js" }), redirect: "manual" });
}

export async function speakIn(app, wanted) {
  await load(wanted);
  document.documentElement.lang = wanted;
  document.title = `${told(app.state.about.title)} · Tapete`;
  app.render();
  post("/lang", { lang: wanted });
}

export function lit(app, theme) {
  document.documentElement.dataset.theme = theme;
  app.render();
  post("/theme", { theme });
}

function nextTheme() {
  const themes = ["auto", "light", "dark"];
  return themes[(themes.indexOf(document.documentElement.dataset.theme || "auto") + 1) % 3];
}

export const DEEDS = {
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
  menu: (app) => app.openDialog("menu"),
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
