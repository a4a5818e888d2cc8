/**
 * What this browser keeps of every shoe before the bets: the commitment that was shown, and the seed of its own.
 *
 * It lies in the browser's storage alone. A name of a shoe that comes with a second commitment keeps both.
 */

const COMMITMENTS = "tapete.commitments";
const SEEDS = "tapete.seeds";
const MOST = 500;

function read(key) {
  try {
    const found = JSON.parse(localStorage.getItem(key) ?? "{}");
    return found !== null && typeof found === "object" && !Array.isArray(found) ? found : {};
  } catch {
    return {};
  }
}

function write(key, told) {
  const newest = Object.fromEntries(Object.entries(told).slice(-MOST));
  try {
    localStorage.setItem(key, JSON.stringify(newest));
  } catch {
    // A browser that keeps nothing can still check a file against itself.
  }
}

const listed = (value) => (Array.isArray(value) ? value : [value]).filter((one) => typeof one === "string");

/** The commitments kept for every shoe, by its id: lists, nearly always of one. */
export function keptCommitments() {
  return new Map(Object.entries(read(COMMITMENTS)).map(([id, value]) => [id, listed(value)]));
}

/** Keeps a commitment as the table shows it, before anything is bet. */
export function keepCommitment(id, commitment) {
  const every = read(COMMITMENTS);
  const known = Object.hasOwn(every, id) ? listed(every[id]) : [];
  if (known.includes(commitment)) return;
  write(COMMITMENTS, { ...every, [id]: known.length ? [...known, commitment] : commitment });
}

/** The seeds of this browser by the id of their shoe, in hexadecimal digits. */
export function keptSeeds() {
  return new Map(Object.entries(read(SEEDS)).filter(([, seed]) => typeof seed === "string"));
}

/** Keeps a seed of one's own, from the moment it is promised. */
export function keepSeed(id, seed) {
  write(SEEDS, { ...read(SEEDS), [id]: seed });
}
