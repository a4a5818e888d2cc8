/** A finding of the check beside what this browser kept before the bets. */

import { seedHash } from "./verify.js";

/**
 * What was kept of a shoe: "same", "other" (another commitment was shown before the bets), "both" (two of them were), or
 * "none".
 */
export function commitmentKept(shoe, kept) {
  if (!kept?.length) return "none";
  if (!kept.includes(shoe.commitment)) return "other";
  return kept.length > 1 ? "both" : "same";
}

/** What became of this browser's own seeds: "opened", "closed" (in the list only), "absent", or "none" were given. */
export function ownSeed(shoe, seeds) {
  const given = (seeds ?? []).filter((seed) => /^([0-9a-f]{2}){1,64}$/.test(seed));
  if (given.some((seed) => (shoe.opened ?? []).includes(seed))) return "opened";
  if (given.some((seed) => (shoe.seed_commitments ?? []).includes(seedHash(seed)))) return "closed";
  return given.length ? "absent" : "none";
}

/** The outcome for the person before the screen: a shoe is only as good as what this browser saw promised. */
export function outcomeFor({ verdict, shoe }, commitments) {
  return commitmentKept(shoe, commitments.get(shoe.id)) === "other" ? "mismatch" : verdict.outcome;
}

/** The ids of shoes of the same table that were kept, but that the file does not name. */
export function unheard(ids, commitments) {
  const tables = new Set(ids.map((id) => id.replace(/[0-9]+$/, "")));
  return [...commitments.keys()].filter((id) => !ids.includes(id) && tables.has(id.replace(/[0-9]+$/, "")));
}
