/**
 * History files (.bjh) as Tapete writes them, read in the page: the rules, the shoes and the cards of each round.
 *
 * Whether a round keeps the rules and comes to its results is not asked here; `tapete verify` and `tapete check` do that.
 */

import { cardsOf } from "./events.js";
import { readRecord } from "./record.js";
import { digestOf, flat, packsOf } from "./rules.js";
import { readBlocks, Token, Unreadable } from "./toml.js";
import { changed, verify } from "./verify.js";

export { Unreadable };

const MOST_BYTES = 64 * 2 ** 20;
const FORMAT = "tapete-history";
const VERSION = 1;
const ROUND = ["number", "rules", "bettors", "boxes", "events", "totals", "bank", "results"];
const TOLD_BESIDE = ["id", "title.en", "title.es"];

/** The history in some bytes: {tables, rounds, reveals}. Throws Unreadable. */
export function readHistory(bytes) {
  const blocks = readBlocks(textOf(bytes));
  const history = { tables: new Map(), rounds: [], reveals: [] };
  for (const block of blocks) READERS[block.kind]({ ...block, fields: plain(block.fields) }, history);
  return history;
}

function textOf(bytes) {
  if (bytes.length > MOST_BYTES) throw new Unreadable("verify.too_big", null, { most: MOST_BYTES / 2 ** 20 });
  let text;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes).replaceAll("\r\n", "\n");
  } catch {
    throw new Unreadable("history.not_utf8");
  }
  if (!/^(?:[ \t]*(?:#[^\n]*)?\n)*format = "tapete-history"\n/.test(text)) throw new Unreadable("history.not_a_history", 1);
  return text;
}

/** A value without the annotations in it, which are anybody's. */
function plain(value) {
  if (Array.isArray(value)) return value.map(plain);
  if (value === null || typeof value !== "object" || value instanceof Token) return value;
  const kept = Object.create(null);
  for (const name of Object.keys(value)) if (!name.startsWith("_")) kept[name] = plain(value[name]);
  return kept;
}

// --- blocks ----------------------------------------------------------------------------------------------------------

const READERS = { header: readHeader, rules: readRules, round: readRound, reveal: readReveal };

function readHeader({ fields }) {
  only(fields, ["format", "version"], 1);
  if (fields.format !== FORMAT) throw new Unreadable("history.not_a_history", 1);
  if (!("version" in fields)) throw new Unreadable("history.missing", 1, { key: "version" });
  if (fields.version !== VERSION) {
    throw new Unreadable("history.version", 1, { found: String(fields.version), known: VERSION });
  }
}

function only(fields, names, line) {
  const foreign = Object.keys(fields).find((name) => !names.includes(name));
  if (foreign !== undefined) throw new Unreadable("history.unknown_field", line, { key: foreign });
}

function readRules({ name, fields, begins, last }, history) {
  if (history.tables.has(name)) throw new Unreadable("history.twice", begins, { key: name });
  const switches = flat(fields);
  for (const beside of TOLD_BESIDE) delete switches[beside];
  if (last && !("version" in switches)) throw new Unreadable("history.torn", begins, { begins });
  const due = digestOf(switches);
  if (due !== name) throw new Unreadable("history.digest_differs", begins, { stated: name, due });
  history.tables.set(name, { digest: name, packs: packsOf(switches), title: fields.title ?? {}, id: fields.id ?? "" });
}

function readRound({ fields, begins, last }, history) {
  only(fields, [...ROUND, "shoe"], begins);
  const missing = ROUND.find((name) => !(name in fields));
  if (missing && last) throw new Unreadable("history.torn", begins, { begins });
  if (missing) throw new Unreadable("history.missing", begins, { key: missing });
  const table = history.tables.get(fields.rules);
  if (!table) throw new Unreadable("history.rules_unknown", begins, { digest: String(fields.rules).slice(0, 64) });
  const { events, number } = fields;
  if (!Array.isArray(events) || !events.every((event) => typeof event === "string")) misfit("events", events, begins);
  if (!Number.isSafeInteger(number) || number < 0) misfit("number", number, begins);
  history.rounds.push({ number, table, cards: cardsOf(events, begins), ...readShoe(fields.shoe ?? {}, begins) });
}

function misfit(key, value, line) {
  throw new Unreadable("verify.value", line, { key, value: String(JSON.stringify(value)).slice(0, 40) });
}

function readShoe(told, begins) {
  if (typeof told !== "object" || Array.isArray(told) || told instanceof Token) misfit("shoe", told, begins);
  const { first = null, ...record } = told;
  if (first !== null && (!Number.isSafeInteger(first) || first < 0)) misfit("shoe.first", first, begins);
  return { first, shoe: Object.keys(record).length ? readRecord(record, begins) : null };
}

function readReveal({ fields, begins, last }, history) {
  if (last && !("commitment" in fields)) throw new Unreadable("history.torn", begins, { begins });
  history.reveals.push(readRecord(fields, begins));
}

// --- the check -------------------------------------------------------------------------------------------------------

/**
 * Every shoe of a history with the outcome of its check: {id, shoe, rounds, verdict}. `shoe` is the record as it was told
 * last, `rounds` are those that were dealt from it.
 */
export function findings(history) {
  const named = history.rounds.filter((round) => round.shoe);
  const ids = new Set([...named.map((round) => round.shoe.id), ...history.reveals.map((shoe) => shoe.id)]);
  return [...ids].map((id) => {
    const rounds = named.filter((round) => round.shoe.id === id);
    const told = [...rounds.map((round) => round.shoe), ...history.reveals.filter((shoe) => shoe.id === id)];
    return { id, shoe: told.at(-1), rounds, verdict: changed(told) ?? checked(told.at(-1), rounds) };
  });
}

function checked(shoe, rounds) {
  const tables = rounds.map((round) => round.table);
  const table = tables.find((one) => one.digest !== shoe.rules) ?? tables[0] ?? { digest: null, packs: null };
  return verify(shoe, rounds.filter((round) => round.first !== null), table);
}

/** How many rounds do not say from which shoe or place they were dealt. */
export function unnamed(history) {
  return history.rounds.filter((round) => !round.shoe || round.first === null).length;
}
