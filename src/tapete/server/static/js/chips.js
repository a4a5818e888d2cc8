// Chips: each value has its own colour, its own edge and its number. Values are units, 100 to the chip.

import { svg } from "./dom.js";
import { amount } from "./words.js";
import { ruleUnits } from "./state.js";

const LADDER = [50, 100, 500, 1000, 2500, 5000, 10000, 50000, 100000, 500000, 1000000];
const EDGES = { 50: "8 12", 100: "6 42.500", 500: "14 34.300", 1000: "10 18.700", 2500: "24 24.200", 5000: "6 9.900", 10000: "18 8.800 4 8.800", 50000: "4 4", 100000: "32 14 4 14", 500000: "26 6", 1000000: "48 16" };
const MOST = 6;

/** The chips offered at a table: multiples of its step, none above its maximum, the small ones left out where the minimum is high. */
export function chipValues(state) {
  const [unit, least, most] = ["unit", "bet_min", "bet_max"].map((key) => ruleUnits(state, key));
  const from = Math.max(unit, Math.floor(least / 10));
  const fit = LADDER.filter((one) => one % unit === 0 && one >= from && (most === null || one <= most)).slice(0, MOST);
  return fit.length ? fit : [unit];
}

const largest = (units) => LADDER.findLast((one) => one <= units) ?? LADDER[0];

/** One chip. With `number` false only its colour and its edge, for a stack whose sum stands beside it. */
export function chipPicture(units, { number = true } = {}) {
  const value = largest(units);
  return svg(
    "svg",
    { class: `chip chip-${value}`, viewBox: "0 0 100 100", "aria-hidden": "true", focusable: "false", "data-still": `${value} ${number}` },
    svg("circle", { class: "body", cx: 50, cy: 50, r: 48 }),
    svg("circle", { class: "edge", cx: 50, cy: 50, r: 42, "stroke-dasharray": EDGES[value] }),
    svg("circle", { class: "ring", cx: 50, cy: 50, r: 32 }),
    number && svg("text", { x: 50, y: 62, "text-anchor": "middle" }, amount(value)),
  );
}
