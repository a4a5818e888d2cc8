// Prefs: how this browser likes the table. Kept here and nowhere else.

const KEY = "tapete.prefs";
const FIRST = {
  speed: "normal",
  deck: "two",
  index: "usual",
  sound: false,
  verbosity: "usual",
  confirm: false,
  keys: true,
  seeds: true,
  log: null,
};
export const SPEEDS = { none: 0, fast: 150, normal: 200, slow: 250 };

function read() {
  try {
    return { ...FIRST, ...JSON.parse(localStorage.getItem(KEY) ?? "{}") };
  } catch {
    return { ...FIRST };
  }
}

export const prefs = read();

export function set(name, value) {
  prefs[name] = value;
  try {
    localStorage.setItem(KEY, JSON.stringify(prefs));
  } catch {
    // A browser that keeps nothing still plays.
  }
}

const still = matchMedia("(prefers-reduced-motion: reduce)");

/** Milliseconds that a card takes from the shoe to its place; 0 for none. */
export const beat = () => (still.matches || document.hidden ? 0 : SPEEDS[prefs.speed] ?? 0);

/** What the stylesheet has to know. */
export function dress(root) {
  root.dataset.deck = prefs.deck;
  root.dataset.index = prefs.index;
}
