/** Bytes: to and from hexadecimal digits and text, and packed so that they come apart in one way only. */

const TEXT = new TextEncoder();

export const utf8 = (text) => TEXT.encode(text);

export const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

/** The bytes of lower-case hexadecimal digits; an error for any other text. */
export function unhex(text) {
  if (!/^([0-9a-f]{2})*$/.test(text)) throw new TypeError("not hexadecimal digits");
  return Uint8Array.from({ length: text.length / 2 }, (_, at) => parseInt(text.slice(2 * at, 2 * at + 2), 16));
}

/** Some arrays of bytes, one behind the other. */
export function joined(...parts) {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** A whole number in so many bytes, the most significant first. */
export function number(value, bytes) {
  const told = new Uint8Array(bytes);
  for (let at = bytes - 1, left = value; at >= 0; at--) {
    told[at] = left % 256;
    left = Math.floor(left / 256);
  }
  return told;
}

/** Each field behind its length in 4 bytes, joined. */
export function pack(...fields) {
  return joined(...fields.flatMap((field) => [number(field.length, 4), field]));
}
