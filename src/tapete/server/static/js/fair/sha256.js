/**
 * SHA-256 (FIPS 180-4), for pages on a plain http address, where browsers keep their own to themselves.
 *
 * Messages are Uint8Arrays; a hash is one of 32 bytes.
 */

/** The first 32 bits of the fractional parts of the cube roots of the first 64 primes. */
const ROUND = new Uint32Array([
  0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
  0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
  0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
  0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
  0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
  0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
  0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
  0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
]);

/** The first 32 bits of the fractional parts of the square roots of the first 8 primes. */
const START = [
  0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
];

export const BLOCK = 64;

const turned = (word, by) => (word >>> by) | (word << (32 - by));

/** A hash in the making: `update` as often as needed, then `digest` once; `copy` to go on from here in two ways. */
export class Sha256 {
  constructor() {
    this.state = new Uint32Array(START);
    this.rest = new Uint8Array(BLOCK);
    this.length = 0;
  }

  copy() {
    const twin = new Sha256();
    twin.state.set(this.state);
    twin.rest.set(this.rest);
    twin.length = this.length;
    return twin;
  }

  update(bytes) {
    let taken = 0;
    while (taken < bytes.length) {
      const filled = this.length % BLOCK;
      const part = bytes.subarray(taken, taken + BLOCK - filled);
      this.rest.set(part, filled);
      this.length += part.length;
      taken += part.length;
      if (this.length % BLOCK === 0) mix(this.state, this.rest);
    }
    return this;
  }

  /** The hash of all that was put in; nothing can be put in afterwards. */
  digest() {
    const bits = this.length * 8;
    const zeros = (2 * BLOCK - 9 - (this.length % BLOCK)) % BLOCK;
    const end = new Uint8Array(1 + zeros + 8);
    end[0] = 0x80;
    const size = new DataView(end.buffer);
    size.setUint32(1 + zeros, Math.floor(bits / 2 ** 32));
    size.setUint32(5 + zeros, bits % 2 ** 32);
    this.update(end);
    const hash = new DataView(new ArrayBuffer(32));
    this.state.forEach((word, at) => hash.setUint32(4 * at, word));
    return new Uint8Array(hash.buffer);
  }
}

/** The 64 words that one block is stretched to. */
function schedule(block) {
  const words = new Uint32Array(64);
  const view = new DataView(block.buffer, block.byteOffset, BLOCK);
  for (let at = 0; at < 16; at++) words[at] = view.getUint32(4 * at);
  for (let at = 16; at < 64; at++) {
    const near = words[at - 15];
    const far = words[at - 2];
    const low = turned(near, 7) ^ turned(near, 18) ^ (near >>> 3);
    const high = turned(far, 17) ^ turned(far, 19) ^ (far >>> 10);
    words[at] = words[at - 16] + low + words[at - 7] + high;
  }
  return words;
}

/** Mixes one block of 64 bytes into the state. */
function mix(state, block) {
  const words = schedule(block);
  let [a, b, c, d, e, f, g, h] = state;
  for (let at = 0; at < 64; at++) {
    const upper = turned(e, 6) ^ turned(e, 11) ^ turned(e, 25);
    const choice = (e & f) ^ (~e & g);
    const first = (h + upper + choice + ROUND[at] + words[at]) | 0;
    const lower = turned(a, 2) ^ turned(a, 13) ^ turned(a, 22);
    const majority = (a & b) ^ (a & c) ^ (b & c);
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + lower + majority) | 0];
  }
  [a, b, c, d, e, f, g, h].forEach((word, at) => { state[at] += word; });
}

/** The SHA-256 of some bytes. */
export function sha256(bytes) {
  return new Sha256().update(bytes).digest();
}
