// The published vectors, in the page's own scripts.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";

import { hex, unhex, utf8 } from "./fair/bytes.js";
import { hmac } from "./fair/hmac.js";
import { sha256 } from "./fair/sha256.js";
import { below, canonical, mixed, order, reshuffled, without, words } from "./fair/shuffle.js";
import { commitment, newSeed, seedHash } from "./fair/verify.js";

const { bounded, shoes } = JSON.parse(readFileSync(new URL("vectors.json", import.meta.url)));

const told = (cards) => ({ cards: cards.length, first10: cards.slice(0, 10), sha256: hex(sha256(utf8(cards.join(" ")))) });

function recordOf(shoe) {
  return { ...shoe, opened: shoe.seeds.map(({ seed, opened }) => (opened ? seed : "")) };
}

test("the hashes of the standards' own examples", () => {
  assert.equal(hex(sha256(utf8("abc"))), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  assert.equal(hex(hmac(utf8("Jefe"), utf8("what do ya want for nothing?"))),
    "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
});

test("a million letters have their published hash", () => {
  assert.equal(hex(sha256(utf8("a".repeat(1e6)))), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
});

for (const one of bounded) {
  test(`numbers below ${one.below} are the published ones, and so are the words thrown away`, () => {
    const stream = words(unhex(one.secret), unhex(one.prefix));
    assert.deepEqual(one.numbers.map(() => below(one.below, stream)), one.numbers);
    const again = words(unhex(one.secret), unhex(one.prefix));
    for (let taken = 0; taken < one.numbers.length + one.words_rejected; taken++) again.next();
    assert.equal(stream.next().value, again.next().value);
  });
}

for (const [at, shoe] of shoes.entries()) {
  test(`shoe ${at}, ${shoe.id}: commitment, stream, order and cut are the published ones`, () => {
    assert.equal(commitment(shoe), shoe.commitment);
    assert.deepEqual(shoe.seeds.map(({ seed }) => seedHash(seed)), shoe.seed_commitments);
    const stream = words(unhex(shoe.secret), unhex(shoe.prefix));
    const block = () => Array.from({ length: 8 }, () => stream.next().value.toString(16).padStart(8, "0")).join("");
    assert.deepEqual(shoe.blocks.map(block), shoe.blocks);
    const uncut = mixed(canonical(shoe.packs), words(unhex(shoe.secret), unhex(shoe.prefix)));
    assert.deepEqual(told(uncut), shoe.uncut);
    assert.deepEqual(told(order(recordOf(shoe), shoe.secret)), shoe.order);
  });
}

for (const shoe of shoes.filter(({ reshuffle }) => reshuffle)) {
  test(`shoe ${shoe.id}: the reshuffle is the published one`, () => {
    const { began, number, prefix, ...due } = shoe.reshuffle;
    const record = recordOf(shoe);
    const discards = without(shoe.packs, order(record, shoe.secret).slice(began));
    assert.deepEqual(told(reshuffled(record, shoe.secret, discards, number)), due);
  });
}

test("a new seed has 32 bytes and never comes twice", () => {
  const seeds = new Set(Array.from({ length: 100 }, newSeed));
  assert.equal(seeds.size, 100);
  for (const seed of seeds) assert.match(seed, /^[0-9a-f]{64}$/);
});

test("a seed of no bytes, of too many, or of no digits has no hash", () => {
  for (const seed of ["", "00".repeat(65), "0", "AB", "zz"]) assert.throws(() => seedHash(seed));
  assert.equal(seedHash("00".repeat(64)).length, 64);
});
