/**
 * Was a shoe what had been promised? The check of docs/fairness.md, "How a check goes".
 *
 * `verify(record, rounds)` gives {outcome, code, facts}: outcome "ok", "pending" or "mismatch"; a code "verdict.…", which
 * names the sentence; and the facts of that sentence {index, expected, found, compared, unseen}. A round is
 * {first, cards}: the place of its first card, and its cards in the order of the deal, null for one that nobody saw.
 * Nothing here needs a secure context or a network.
 */

import { hex, unhex } from "./bytes.js";
import { sha256 } from "./sha256.js";
import { commitment, order, reshuffled, without } from "./shuffle.js";

export { commitment };

const NOTHING = "–";
const SEED_BYTES = 32;
const MAX_SEED_BYTES = 64;
const FROM_THE_FIRST = ["rules", "packs", "commitment"];
const FROM_THE_CUT = [...FROM_THE_FIRST, "seed_commitments", "opened", "cut"];

/** A seed nobody can guess, as hexadecimal digits; keep it to yourself until the list is closed. */
export function newSeed() {
  return hex(crypto.getRandomValues(new Uint8Array(SEED_BYTES)));
}

/** The promise of a seed of 1 to 64 bytes: its SHA-256. Digits in, digits out. */
export function seedHash(seed) {
  const bytes = unhex(seed);
  if (bytes.length < 1 || bytes.length > MAX_SEED_BYTES) throw new RangeError("a seed has 1 to 64 bytes");
  return hex(sha256(bytes));
}

function verdict(outcome, code, facts = {}) {
  return { outcome, code, facts: { index: null, expected: "", found: "", compared: 0, unseen: 0, ...facts } };
}

const told = (value) => (Array.isArray(value) ? value.join(", ") : String(value));

function wrong(code, { index = null, expected, found }) {
  return verdict("mismatch", code, { index, expected: told(expected), found: told(found) });
}

/**
 * The record with all its fields: those that a file leaves out are empty, or null.
 */
export function whole(record) {
  const empty = { seed_commitments: [], closed: false, opened: [], cut: null, reshuffles: [], secret: null };
  return { ...empty, ...record };
}

/** Whether a shoe was what its record promised, as far as `rounds` show its cards. */
export function verify(record, rounds = [], { digest = null, packs = null } = {}) {
  const shoe = whole(record);
  const early = checkTable(shoe, digest, packs) ?? checkList(shoe);
  if (early) return early;
  if (shoe.secret === null) return verdict("pending", "verdict.pending");
  const due = commitment(shoe);
  if (due !== shoe.commitment) return wrong("verdict.commitment", { expected: due, found: shoe.commitment });
  const seen = [...rounds].sort((one, other) => one.first - other.first);
  if (shoe.cut === null && !seen.length) return verdict("ok", "verdict.ok");
  return checkCut(shoe) ?? checkCards(shoe, seen);
}

function checkTable(shoe, digest, packs) {
  if (digest !== null && digest !== shoe.rules) return wrong("verdict.digest", { expected: digest, found: shoe.rules });
  if (packs !== null && told(packs) !== told(shoe.packs)) {
    return wrong("verdict.packs", { expected: packs, found: shoe.packs });
  }
  return null;
}

function checkList(shoe) {
  const due = shoe.closed ? shoe.seed_commitments.length : 0;
  if (shoe.opened.length !== due) return wrong("verdict.list", { expected: due, found: shoe.opened.length });
  for (const [at, seed] of shoe.opened.entries()) {
    const promised = shoe.seed_commitments[at];
    if (seed && seedHash(seed) !== promised) {
      return wrong("verdict.seed", { index: at + 1, expected: promised, found: seed });
    }
  }
  const early = !shoe.closed && shoe.cut !== null;
  return early ? wrong("verdict.list", { expected: "closed", found: "open" }) : null;
}

function checkCut(shoe) {
  const cards = 52 * shoe.packs.reduce((all, some) => all + some, 0);
  if (shoe.cut !== null && shoe.cut < cards) return null;
  return wrong("verdict.cut", { expected: `0-${cards - 1}`, found: shoe.cut ?? NOTHING });
}

function checkCards(shoe, rounds) {
  const due = order(shoe, shoe.secret);
  for (const [at, began] of shoe.reshuffles.entries()) {
    const across = rounds.find((one) => one.first <= due.length && due.length < one.first + one.cards.length);
    const first = across ? across.first : began;
    const discards = began > due.length ? [] : without(shoe.packs, due.slice(began));
    if (first !== began || !discards.length) {
      return wrong("verdict.reshuffle", { index: at + 1, expected: first === began ? NOTHING : first, found: began });
    }
    due.push(...reshuffled(shoe, shoe.secret, discards, at + 1));
  }
  return compare(due, rounds);
}

function compare(due, rounds) {
  let [end, compared, unseen] = [0, 0, 0];
  for (const { first, cards } of rounds) {
    if (first < end) return wrong("verdict.round", { index: first, expected: end, found: first });
    for (const [at, seen] of cards.entries()) {
      const lies = due[first + at] ?? NOTHING;
      if (seen !== null && seen !== lies) return wrong("verdict.card", { index: first + at, expected: lies, found: seen });
    }
    const hidden = cards.filter((card) => card === null).length;
    unseen += first - end + hidden;
    compared += cards.length - hidden;
    end = first + cards.length;
  }
  return verdict("ok", "verdict.ok", { compared, unseen });
}

/** Where records of one shoe, told at different times, contradict each other; null if nowhere. */
export function changed(records) {
  const every = records.map(whole);
  const basis = every.find((one) => one.cut !== null) ?? every[0];
  const longest = every.map((one) => one.reshuffles).reduce((a, b) => (b.length > a.length ? b : a));
  for (const [at, one] of every.entries()) {
    for (const name of one.cut === null ? FROM_THE_FIRST : FROM_THE_CUT) {
      if (JSON.stringify(basis[name]) !== JSON.stringify(one[name])) return change(name, at, basis[name], one[name]);
    }
    if (one.reshuffles.some((place, which) => place !== longest[which])) {
      return change("reshuffles", at, longest, one.reshuffles);
    }
  }
  return null;
}

function change(name, at, due, found) {
  return wrong("verdict.changed", {
    index: at + 1, expected: `${name} = ${told(due)}`, found: `${name} = ${told(found)}`,
  });
}
