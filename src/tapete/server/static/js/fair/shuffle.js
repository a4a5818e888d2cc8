/**
 * The shuffle, byte by byte as docs/fairness.md defines it.
 *
 * Cards are texts: "Ah", "10s", "Kd/1". A record has the fields that the page of the manual lists.
 */

import { hex, joined, number, pack, unhex, utf8 } from "./bytes.js";
import { hmacBehind } from "./hmac.js";
import { sha256 } from "./sha256.js";

const WORD = 2 ** 32;
const RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"];
const PACK = [..."shdc"].flatMap((suit) => RANKS.map((rank) => rank + suit));

/** The commitment to a secret (64 digits) for a shoe, as 64 hexadecimal digits. */
export function commitment({ secret, rules, id }) {
  return hex(sha256(pack(utf8("tapete/commit/1"), unhex(secret), utf8(rules), utf8(id))));
}

/** The endless stream of words, whole numbers from 0 to 2^32 - 1. */
export function* words(secret, prefix) {
  const block = hmacBehind(secret, prefix);
  for (let counter = 0; ; counter++) {
    const view = new DataView(block(number(counter, 8)).buffer);
    for (let at = 0; at < 32; at += 4) yield view.getUint32(at);
  }
}

/** A number from 0 to bound - 1, each from equally many words. */
export function below(bound, stream) {
  const limit = WORD - (WORD % bound);
  let word = stream.next().value;
  while (word >= limit) word = stream.next().value;
  return word % bound;
}

/** All cards of so many packs of each back, in canonical order. */
export function canonical(packs) {
  return packs.flatMap((times, back) =>
    PACK.flatMap((face) => Array(times).fill(back ? `${face}/${back}` : face)));
}

/** The cards in an order that the stream decides (Fisher-Yates, from the last down). */
export function mixed(cards, stream) {
  const lying = [...cards];
  for (let last = lying.length - 1; last > 0; last--) {
    const other = below(last + 1, stream);
    [lying[last], lying[other]] = [lying[other], lying[last]];
  }
  return lying;
}

/** What each member of the list contributes. */
function contributions(record) {
  return record.seed_commitments.map((promised, at) => {
    const seed = record.opened[at];
    return seed ? joined([1], unhex(seed)) : joined([0], unhex(promised));
  });
}

/** The cards of a shoe as they are dealt, the cut included. */
export function order(record, secret) {
  const prefix = pack(utf8("tapete/shuffle/1"), utf8(record.id), ...contributions(record));
  const lying = mixed(canonical(record.packs), words(unhex(secret), prefix));
  return [...lying.slice(record.cut), ...lying.slice(0, record.cut)];
}

/** The discards, in canonical order, as they are dealt after reshuffle `count` (from 1). */
export function reshuffled(record, secret, discards, count) {
  const told = [utf8("tapete/reshuffle/1"), utf8(record.id), number(count, 4)];
  return mixed(discards, words(unhex(secret), pack(...told, ...contributions(record))));
}

/** The cards that are left of whole packs without some others, in canonical order. */
export function without(packs, taken) {
  const missing = new Map();
  for (const card of taken) missing.set(card, (missing.get(card) ?? 0) + 1);
  return canonical(packs).filter((card) => {
    const due = missing.get(card) ?? 0;
    missing.set(card, due - 1);
    return due <= 0;
  });
}
