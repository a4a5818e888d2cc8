/** The digest of a rule set, from the lines in which a history file tells it (docs/history-format.md). */

import { hex, utf8 } from "./bytes.js";
import { sha256 } from "./sha256.js";
import { Token } from "./toml.js";

/** Told in chips, hashed in units of a hundredth. */
const AMOUNTS = ["bet_max", "bet_min", "unit"];
const RATIOS = ["bj_pays", "insurance.pays", "surrender.loss"];
/** What may be absent, which "none" says. */
const OPTIONAL = ["back_colours", "bet_max", "cut_card_left"];
const UNITS = 100;

/** The packs of each back that a table has. */
export function packsOf(switches) {
  return Array.isArray(switches.back_colours) ? switches.back_colours : [switches.decks];
}

/** The digest of the switches by dotted key. */
export function digestOf(switches) {
  const told = Object.keys(switches).sort().map((key) => `${ascii(key)}:${ascii(hashed(key, switches[key]))}`);
  return hex(sha256(utf8(`{${told.join(",")}}`)));
}

function hashed(key, value) {
  if (OPTIONAL.includes(key) && value === "none") return null;
  if (AMOUNTS.includes(key)) return Math.round(Number(value instanceof Token ? value.text : value) * UNITS);
  return RATIOS.includes(key) ? String(value).split(":").map(Number) : value;
}

const ascii = (value) =>
  JSON.stringify(value).replace(/[\u007f-\uffff]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`);

/** Tables within tables as one table with dotted keys. */
export function flat(table, before = "") {
  const found = {};
  for (const [name, value] of Object.entries(table)) {
    const inner = value !== null && typeof value === "object" && !Array.isArray(value) && !(value instanceof Token);
    Object.assign(found, inner ? flat(value, `${before}${name}.`) : { [before + name]: value });
  }
  return found;
}
