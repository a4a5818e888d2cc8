/** HMAC-SHA256 (RFC 2104). Keys and messages are Uint8Arrays; a result is one of 32 bytes. */

import { BLOCK, Sha256, sha256 } from "./sha256.js";

const INNER = 0x36;
const OUTER = 0x5c;

/**
 * A function from the end of a message to its HMAC, where key and beginning are always the same.
 * It does the work for those only once.
 */
export function hmacBehind(key, beginning) {
  const short = key.length > BLOCK ? sha256(key) : key;
  const padded = new Uint8Array(BLOCK);
  padded.set(short);
  const inner = new Sha256().update(padded.map((byte) => byte ^ INNER)).update(beginning);
  const outer = new Sha256().update(padded.map((byte) => byte ^ OUTER));
  return (end) => outer.copy().update(inner.copy().update(end).digest()).digest();
}

/** The HMAC of a message. */
export function hmac(key, message) {
  return hmacBehind(key, message)(new Uint8Array());
}
