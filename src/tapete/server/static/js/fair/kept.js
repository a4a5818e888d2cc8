/**
 * What this browser kept of every shoe before the bets: the commitment that was shown, and the seed of its own.
 *
 * The page of a table writes it (fair.js, one beside this folder); it lies in the browser's storage alone.
 */

const KEY = "tapete.shoes";

function read() {
  try {
    const found = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(found) ? found.filter((one) => typeof one?.id === "string") : [];
  } catch {
    return [];
  }
}

/** The different texts in one field of all that was kept, as lists by the id of their shoe; of one table, if it is named. */
function kept(field, table) {
  const found = new Map();
  for (const one of read()) {
    if (typeof one[field] !== "string" || (table && one.table !== table)) continue;
    found.set(one.id, [...new Set([...(found.get(one.id) ?? []), one[field]])]);
  }
  return found;
}

/** The commitments kept for every shoe: nearly always one. */
export const keptCommitments = (table = "") => kept("commitment", table);

/** This browser's own seeds for every shoe, in hexadecimal digits. */
export const keptSeeds = (table = "") => kept("seed", table);
