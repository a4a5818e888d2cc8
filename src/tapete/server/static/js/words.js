// Words: what a person reads, in their language. English is the msgid; the server sends the catalogue of this page.

let words = { language: "en", decimal: ".", say: {}, plural: {}, terms: {}, reasons: {}, results: {}, answers: {} };

/** Loads a language; the page speaks it from then on. */
export async function load(language) {
  const answer = await fetch(`/words/${language}.json`, { headers: { accept: "application/json" } });
  if (!answer.ok) throw new Error(`no words: ${answer.status}`);
  words = await answer.json();
}

export const language = () => words.language;

/** An amount of units (100 to the chip) in chips, with the language's decimal sign. */
export function amount(units, { signed = false } = {}) {
  const whole = Math.floor(Math.abs(units) / 100);
  const rest = Math.abs(units) % 100;
  const cents = rest ? words.decimal + String(rest).padStart(2, "0").replace(/0$/, "") : "";
  const sign = units < 0 ? "-" : signed && units > 0 ? "+" : "";
  return `${sign}${whole}${cents}`;
}

/** The units of an amount of chips as a person types it, `12.5` or `12,5`; null for anything else. */
export function units(text) {
  const found = /^(\d{1,10})(?:[.,](\d{1,2}))?$/.exec(text.trim());
  return found ? Number(found[1]) * 100 + Number((found[2] ?? "0").padEnd(2, "0")) : null;
}

function filled(text, facts) {
  return text.replace(/\{([a-z_][a-z0-9_]*)(?::(chips))?\}/g, (hole, name, how) => {
    if (!(name in facts)) return hole;
    return how === "chips" ? amount(facts[name]) : String(facts[name]);
  });
}

/** The sentence in the reader's language with its facts filled in. */
export const say = (text, facts = {}) => filled(words.say[text] ?? text, facts);

/** `one` or `many` as the number has it, which is also the fact `{n}`. */
export function plural(one, many, n, facts = {}) {
  const forms = words.plural[one] ?? [one, many];
  return filled(forms[n === 1 ? 0 : 1], { n, ...facts });
}

/** A single word whose translation depends on where it stands. */
export const term = (where, text) => words.terms[`${where}|${text}`] ?? text;

/** Why a move is not allowed. */
export const reason = (code) => words.reasons[code] ?? code;

/** What became of a bet. */
export const result = (code, facts) => filled(words.results[code] ?? code, facts);

/** The text of a thing that the server tells in every language. */
export const told = (texts) => texts?.[words.language] ?? texts?.en ?? "";

/** Digit, letter and word of an answer at a table whose moves are spoken in `verbs`. */
export const answer = (action, verbs) => words.answers[verbs === "en" ? "en" : words.language]?.[action] ?? { digit: "", letter: "", word: action };
