// Clock: whose time runs, for all to see. It is drawn beside the renders, for it moves all the time.

import { h } from "./dom.js";
import { say } from "./words.js";

const NAMES = () => ({
  bets: say("Bets"),
  question: say("Answer"),
  result: say("Results"),
  seeds: say("Shuffling"),
  cut: say("Cut"),
});

export class Clock {
  constructor(app) {
    this.app = app;
    this.clock = null;
    setInterval(() => this.tick(), 250);
  }

  /** Takes note of the clock that the room told. */
  set(clock) {
    this.clock = clock ? { ...clock, until: performance.now() + clock.ends_in * 1000 } : null;
    this.tick();
  }

  left() {
    return this.clock ? Math.max(0, (this.clock.until - performance.now()) / 1000) : 0;
  }

  view() {
    if (!this.clock) return h("div", { class: "clock none", key: "clock" });
    const what = NAMES()[this.clock.what] ?? "";
    return h(
      "div",
      { class: "clock", key: "clock", role: "timer", "aria-live": "off", "data-still": `${what}${this.clock.until}` },
      h("span", { class: "what" }, what),
      h("span", { class: "seconds" }, `${Math.ceil(this.left())} s`),
      h("span", { class: "time" }, h("span", { class: "run" })),
    );
  }

  tick() {
    const [run, seconds] = [".clock .run", ".clock .seconds"].map((one) => document.querySelector(one));
    if (!this.clock || !run) return;
    const left = this.left();
    run.style.setProperty("--part", String(this.clock.total ? left / this.clock.total : 0));
    const text = `${Math.ceil(left)} s`;
    if (seconds.textContent !== text) seconds.textContent = text;
    run.parentElement.classList.toggle("short", left < 6);
  }
}
