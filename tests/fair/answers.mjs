// Answers questions about the page's scripts: a list of them as JSON on the input, a list of answers on the output.

import { hex, unhex } from "./fair/bytes.js";
import { commitmentKept, outcomeFor, ownSeed, unheard } from "./fair/compare.js";
import { findings, readHistory, Unreadable, unnamed } from "./fair/history.js";
import { hmac } from "./fair/hmac.js";
import { digestOf, flat } from "./fair/rules.js";
import { sha256 } from "./fair/sha256.js";
import { readBlocks } from "./fair/toml.js";
import { changed, verify } from "./fair/verify.js";

function read(file) {
  const history = readHistory(new Uint8Array(Buffer.from(file, "base64")));
  return {
    rounds: history.rounds.map(({ number, first, cards }) => ({ number, first, cards })),
    found: findings(history).map(({ id, rounds, verdict }) => ({ id, rounds: rounds.length, ...verdict })),
    unnamed: unnamed(history),
  };
}

function rules(text) {
  const switches = flat(readBlocks(text).at(-1).fields);
  for (const beside of ["id", "title.en", "title.es"]) delete switches[beside];
  return digestOf(switches);
}

const map = (pairs) => new Map(Object.entries(pairs));

const DEEDS = {
  sha256: ({ bytes }) => hex(sha256(unhex(bytes))),
  hmac: ({ key, bytes }) => hex(hmac(unhex(key), unhex(bytes))),
  verify: ({ record, rounds, table }) => verify(record, rounds, table),
  changed: ({ records }) => changed(records),
  kept: ({ shoe, kept }) => commitmentKept(shoe, kept),
  own: ({ shoe, seeds }) => ownSeed(shoe, seeds),
  outcome: ({ finding, commitments }) => outcomeFor(finding, map(commitments)),
  unheard: ({ ids, commitments }) => unheard(ids, map(commitments)),
  read: ({ file }) => read(file),
  rules: ({ text }) => rules(text),
};

function answer(question) {
  try {
    return DEEDS[question.do](question);
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    return { code: error.code, facts: error.facts };
  }
}

let input = "";
for await (const part of process.stdin.setEncoding("utf8")) input += part;
process.stdout.write(JSON.stringify(JSON.parse(input).map(answer)));
