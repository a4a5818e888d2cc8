/**
 * The lines of a history file, as Tapete writes them: one key and its value each, arrays over several lines, and the
 * headers [rules.…], [[round]] and [[reveal]].
 *
 * That is a part of TOML. Whatever lies outside of it is refused with its line, never guessed at.
 */

const SPACE = / */y;
const GAP = /[ \n]*/y;
const COMMENT = /#[^\n]*(?=\n|$)/y;
const HEADER = /\[(?:rules\.([0-9a-f]{64})\]|\[(round|reveal)\]\])(?=\n|$)/y;
const BARE = /[A-Za-z0-9_-]+/y;
const BASIC = /"(?:[^"\\\u0000-\u001f\u007f]|\\(?:["\\bfnrt]|u(?![dD][89a-fA-F])[0-9a-fA-F]{4}))*"/y;
const LITERAL = /'[^'\u0000-\u001f\u007f]*'/y;
const SCALAR = /[^\s,[\]{}#"'=]+/y;
const WHOLE = /^(?:0|-?[1-9][0-9]*)$/;
const OTHER = new RegExp([
  "^(?:-?(?:(?:0|[1-9][0-9]*)(?:\\.[0-9]+)?(?:e[+-]?[0-9]+)?|inf|nan)", "0x[0-9a-f]+", "[0-9]{4}-[0-9]{2}-[0-9]{2}(?:T[0-9:.Z+-]+)?",
  "[0-9]{2}:[0-9]{2}:[0-9.]+)$",
].join("|"));
const DEEPEST = 32;

/** Why a file cannot be read, as the code and the facts of a sentence; `line` counts from 1, null where none is at fault. */
export class Unreadable extends Error {
  constructor(code, line = null, facts = {}) {
    super(code);
    this.code = code;
    this.line = line;
    this.facts = { line, ...facts };
  }
}

/** A value that is no text, whole number, truth, array or table: a fraction, a date, a number too large to be exact. */
export class Token {
  constructor(text) {
    this.text = text;
  }
}

/**
 * The blocks of a text: {kind, name, begins, last, fields}, the header first. `fields` are tables without a prototype.
 */
export function readBlocks(text) {
  return new Reader(text).blocks();
}

class Reader {
  constructor(text) {
    this.text = text;
    this.at = 0;
    this.begun = 0;
    this.counted = { at: 0, line: 1 };
  }

  blocks() {
    const found = [{ kind: "header", name: "", begins: 1, fields: Object.create(null) }];
    while (this.at < this.text.length) {
      const header = this.take(HEADER);
      if (header) {
        this.begun = this.at - header[0].length;
        found.push({ kind: header[2] ?? "rules", name: header[1] ?? "", begins: this.line(this.begun),
          fields: Object.create(null) });
      } else if (!this.take(COMMENT) && this.text[this.at] !== "\n") this.pair(found.at(-1).fields);
      this.endOfLine();
    }
    return found.map((block, at) => ({ ...block, last: at === found.length - 1 }));
  }

  take(pattern) {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text);
    if (found) this.at = pattern.lastIndex;
    return found;
  }

  /** The line of a place. Places are mostly asked for in order, and no line is counted twice then. */
  line(place) {
    let { at, line } = place < this.counted.at ? { at: 0, line: 1 } : this.counted;
    for (let end = this.text.indexOf("\n", at); end >= 0 && end < place; end = this.text.indexOf("\n", at)) {
      at = end + 1;
      line++;
    }
    this.counted = { at, line };
    return line;
  }

  /** Refuses what stands here; where the text ends here, it was cut short. */
  refuse() {
    const rest = this.text.slice(this.at);
    const line = this.line(this.at);
    if (!rest.includes("\n")) throw new Unreadable("history.torn", line, { begins: this.line(this.begun) });
    throw new Unreadable("verify.not_ours", line, { text: rest.slice(0, 40).split("\n")[0] });
  }

  endOfLine() {
    if (this.at < this.text.length && this.text[this.at] !== "\n") this.refuse();
    this.at++;
  }

  expect(sign, gap = SPACE) {
    this.take(gap);
    if (this.text[this.at] !== sign) this.refuse();
    this.at++;
    this.take(gap);
  }

  next(sign, gap = SPACE) {
    this.take(gap);
    return this.text[this.at] === sign;
  }

  string() {
    const basic = this.take(BASIC);
    if (basic) return JSON.parse(basic[0]);
    const literal = this.take(LITERAL);
    return literal ? literal[0].slice(1, -1) : null;
  }

  key() {
    return this.take(BARE)?.[0] ?? this.string() ?? this.refuse();
  }

  /** One key, or several with dots, and its value. */
  pair(table, depth = 0) {
    const begin = this.at;
    const path = [this.key()];
    while (this.text[this.at] === ".") {
      this.at++;
      path.push(this.key());
    }
    this.expect("=");
    const name = path.pop();
    let inner = table;
    for (const part of path) {
      inner = inner[part] ??= Object.create(null);
      if (typeof inner !== "object" || Object.getPrototypeOf(inner)) this.again(begin, part);
    }
    if (name in inner) this.again(begin, name);
    inner[name] = this.value(depth);
  }

  again(begin, key) {
    throw new Unreadable("history.twice", this.line(begin), { key });
  }

  value(depth) {
    if (depth > DEEPEST) throw new Unreadable("toml.too_deep", this.line(this.at), { most: DEEPEST });
    if (this.text[this.at] === "[") return this.array(depth + 1);
    if (this.text[this.at] === "{") return this.table(depth + 1);
    return this.string() ?? this.scalar();
  }

  array(depth) {
    const found = [];
    this.expect("[", GAP);
    while (!this.next("]", GAP)) {
      found.push(this.value(depth));
      if (this.next("]", GAP)) break;
      this.expect(",", GAP);
    }
    this.at++;
    return found;
  }

  table(depth) {
    const found = Object.create(null);
    this.expect("{");
    while (!this.next("}")) {
      this.pair(found, depth);
      if (this.next("}")) break;
      this.expect(",");
    }
    this.at++;
    return found;
  }

  scalar() {
    const text = this.take(SCALAR)?.[0] ?? "";
    if (text === "true" || text === "false") return text === "true";
    if (WHOLE.test(text) && Number.isSafeInteger(Number(text))) return Number(text);
    if (OTHER.test(text)) return new Token(text);
    this.at -= text.length;
    return this.refuse();
  }
}
