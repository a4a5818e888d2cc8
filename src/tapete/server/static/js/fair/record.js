/** The record of a shoe as a file tells it: every field in the right form, and no other. */

import { Unreadable } from "./toml.js";

const HASH = /^[0-9a-f]{64}$/;
const SEED = /^([0-9a-f]{2}){0,64}$/;
const HIDDEN = /[\p{C}\p{Zl}\p{Zp}]|(?! )\p{Zs}/u;
const MOST_BACKS = 4;

const whole = (most) => (value) => Number.isSafeInteger(value) && value >= 0 && value <= most;
const list = (most, fits) => (value) => Array.isArray(value) && value.length <= most && value.every(fits);
const like = (pattern) => (value) => typeof value === "string" && pattern.test(value);
const text = (value) => typeof value === "string" && value !== "" && [...value].length <= 200;

const FIELDS = {
  id: (value) => text(value) && !HIDDEN.test(value),
  rules: text,
  packs: list(MOST_BACKS, whole(64)),
  commitment: like(HASH),
  seed_commitments: list(1000, like(HASH)),
  closed: (value) => typeof value === "boolean",
  opened: list(1000, like(SEED)),
  cut: whole(1e6),
  reshuffles: list(100, whole(1e6)),
  secret: like(HASH),
};
const NEEDED = ["id", "rules", "packs", "commitment"];

/** The record, if it is one; else Unreadable with the line where its block begins. */
export function readRecord(told, line) {
  for (const [name, value] of Object.entries(told)) {
    if (!Object.hasOwn(FIELDS, name)) throw new Unreadable("history.unknown_field", line, { key: name });
    if (!FIELDS[name](value)) throw new Unreadable("history.shoe_unreadable", line);
  }
  const missing = NEEDED.find((name) => !(name in told));
  if (missing) throw new Unreadable("history.missing", line, { key: missing });
  return { ...told };
}
