// Keys: the same as in the terminal. A key that is held, or that was pressed before its question appeared, answers
// nothing; clicks are held to the same.

import { prefs } from "./prefs.js";

const HELD = 700;

/** Decides whether a press means something. Every question, and every dialog, is a moment of its own. */
export class Guard {
  constructor() {
    this.moment = 0;
    this.began = performance.now();
    this.last = new Map();
    this.name = "";
  }

  /** From now on something else is asked, if the name is another one. */
  now(name) {
    if (name === this.name) return false;
    this.name = name;
    this.begin();
    return true;
  }

  /** From now on something else is asked. */
  begin() {
    this.moment += 1;
    this.began = performance.now();
  }

  /** Whether the press counts. */
  takes(key, event) {
    const when = event.timeStamp;
    const { moment, time } = this.last.get(key) ?? { moment: -1, time: -Infinity };
    const held = event.repeat || (moment !== this.moment && when - time < HELD);
    const early = when < this.began;
    this.last.set(key, { moment: held || early ? moment : this.moment, time: when });
    return !held && !early;
  }

  /** Takes note of a press that was used elsewhere. */
  saw(key, event) {
    this.last.set(key, { moment: this.moment, time: event.timeStamp });
  }
}

const FIELDS = "input, textarea, select";
const BETS = { r: "rebet", x: "twice", u: "undo", c: "clear", t: "type", o: "sitout", a: "repeat", n: "deal", Enter: "deal", Backspace: "undo", f: "refill" };
const ALWAYS = { "?": "help", j: "log", g: "rules", k: "deck", v: "speed", e: "language", y: "theme", q: "leave", w: "people", z: "ahead", m: "read-hand" };
const SHIFTED = { m: "read-hand", d: "read-dealer", b: "read-bets", t: "read-turn" };

const plain = (key) => (key.length === 1 ? key.normalize("NFD").replace(/[\u0300-\u036f]/g, "").toLowerCase() : key);

/** The deed that a key means now, as `[name, data]`; null for none. */
export function meaning(app, event) {
  const key = plain(event.key);
  if (event.shiftKey && key in SHIFTED) return [SHIFTED[key], {}];
  if (app.actions.question || app.actions.setting) {
    const slot = app.actions.slotFor(key);
    if (slot) return ["move", { slot }];
  } else if (app.shown.phase === "bets") {
    const chip = app.chipAt(Number(key) - 1);
    if (/^[1-9]$/.test(key)) return chip ? ["chip", { value: String(chip) }] : null;
    if (key === "ArrowLeft" || key === "ArrowRight") return ["go", { step: key === "ArrowRight" ? "1" : "-1" }];
    if (key in BETS) return [BETS[key], {}];
  }
  return key in ALWAYS ? [ALWAYS[key], {}] : null;
}

/** Listens to the keyboard. `act(name, data, event)` does what a key means. */
export function listen(app, act) {
  document.addEventListener(
    "keydown",
    (event) => {
      const pressing = event.key === "Enter" || event.key === " ";
      if (event.repeat && pressing && event.target.closest?.("[data-do]")) event.preventDefault();
    },
    true,
  );
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || document.querySelector("dialog[open]")) return;
    if (event.key === "Escape") return act("escape", {}, event);
    if (event.target.closest?.(FIELDS) || !prefs.keys) return undefined;
    if (event.key === "Enter" && event.target.closest?.("a, button")) return undefined;
    if (event.key.startsWith("Arrow") && event.target.closest?.("[tabindex='0']")) return undefined;
    const found = meaning(app, event);
    if (app.stage.busy && !(found && found[0] in HURRY)) {
      app.guard.saw(event.key, event);
      if (event.key.length === 1 || event.key === "Enter") app.stage.hurry();
      return undefined;
    }
    if (!found) return undefined;
    event.preventDefault();
    return act(found[0], found[1], event);
  });
}

/** What may be done while cards are on their way: everything that answers nothing. */
const HURRY = Object.fromEntries(Object.values({ ...ALWAYS, ...SHIFTED }).map((one) => [one, true]));
