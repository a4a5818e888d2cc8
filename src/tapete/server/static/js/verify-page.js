// The page /verify: a history file, or all of a table's, held against what was promised. Nothing leaves the page.

import { h } from "./dom.js";
import { commitmentKept, outcomeFor, ownSeed, unheard } from "./fair/compare.js";
import { findings, readHistory, Unreadable, unnamed } from "./fair/history.js";
import { keptCommitments, keptSeeds } from "./fair/kept.js";
import { load, plural, say } from "./words.js";

const place = document.getElementById("verify");
const input = document.getElementById("verify-file");
const state = document.getElementById("verify-state");
const shown = document.getElementById("verify-found");
const CODE = /^[A-Za-z0-9_-]{1,64}$/;
const SIGNS = { ok: "✓", pending: "…", mismatch: "✗" };

/** The sentences of the codes; those of the verdicts are the same as in tapete.messages, which a test makes sure of. */
const SENTENCES = {
  "verdict.card": (facts) =>
    say("The card at place {index} (counted from 0) should be {expected}, but it was {found}.", facts),
  "verdict.changed": (facts) => say("The shoe is told in two ways: “{expected}” and “{found}”.", facts),
  "verdict.commitment": (facts) => say("The commitment should be {expected}, but it is {found}.", facts),
  "verdict.cut": (facts) => say("The cut should be at {expected} cards, but it is at {found}.", facts),
  "verdict.digest": (facts) => say("The shoe belongs to the rules {found}, not to {expected}.", facts),
  "verdict.list": (facts) =>
    say("The list of seeds does not agree with itself: {expected} expected, {found} found.", facts),
  "verdict.ok": (facts) =>
    say("The shoe was what had been promised: {compared} cards compared, {unseen} not seen.", facts),
  "verdict.packs": (facts) => say("The packs of each colour should be {expected}, but they are {found}.", facts),
  "verdict.pending": () => say("It cannot be checked yet: the secret is published when the shoe is retired."),
  "verdict.reshuffle": (facts) =>
    say("Reshuffle {index} cannot belong to a round that began at place {found}; expected: {expected}.", facts),
  "verdict.round": (facts) => say("A round begins at place {index}, but the one before it ends at {expected}.", facts),
  "verdict.seed": (facts) => say("Seed number {index} ({found}) does not have the promised hash {expected}.", facts),
  "history.digest_differs": (facts) => say("These rules do not have the digest {stated}; theirs is {due}.", facts),
  "history.missing": (facts) => say("{key} is missing.", facts),
  "history.not_a_history": () =>
    say("This is no history: its first field has to be format = \"tapete-history\"."),
  "history.not_utf8": () => say("This is not UTF-8 text."),
  "history.rules_unknown": (facts) =>
    say("The rules with the digest {digest} do not stand before this round.", facts),
  "history.shoe_unreadable": () => say("The shoe cannot be read."),
  "history.torn": (facts) => say("The file breaks off in the middle of a part that begins in line {begins}.", facts),
  "history.twice": (facts) => say("{key} is told twice.", facts),
  "history.unknown_field": (facts) => say("The field {key} is not known here.", facts),
  "history.version": (facts) =>
    say("This is version {found} of the format; this Tapete knows version {known}.", facts),
  "toml.too_deep": (facts) => say("This is nested in more than {most} levels.", facts),
  "verify.event": (facts) => say("“{event}” is not an event of a round.", facts),
  "verify.not_ours": (facts) =>
    say("This page reads files as Tapete writes them, and “{text}” is something else. The command tapete verify reads all that the format allows.", facts),
  "verify.too_big": (facts) => say("The file is larger than {most} MiB.", facts),
  "verify.value": (facts) => say("{key} = {value} does not fit.", facts),
  "verify.no_table": () => say("There is no table here under that name, or it has no rounds yet."),
  "verify.unreadable": () => say("The file cannot be read."),
};

function explained(error) {
  const sentence = SENTENCES[error.code]?.(error.facts) ?? error.code;
  return error.line ? say("Line {line}: {text}", { line: error.line, text: sentence }) : sentence;
}

// --- one shoe --------------------------------------------------------------------------------------------------------

function outcomeWord(outcome) {
  if (outcome === "ok") return say("OK, as promised");
  return outcome === "pending" ? say("Pending") : say("Mismatch, not as promised");
}

function keptSentence(shoe, kept) {
  return {
    same: () => say("This browser kept the same commitment before the bets."),
    both: () => say("This browser kept this commitment, and another one under the same name."),
    other: () => say("Before the bets this browser was shown another commitment: {kept}.", { kept: (kept ?? []).join(", ") }),
    none: () => say("This browser kept no commitment of this shoe. Compare it with the one that you noted before the bets."),
  }[commitmentKept(shoe, kept)]();
}

function seedSentence(shoe, seeds) {
  return {
    opened: () => say("Your own seed is in the list and opened, so the order was random for you."),
    closed: () => say("Your own seed is in the list, but it was not opened: the house could choose between two orders."),
    absent: () => say("Your own seed is not in the list: it came too late, or it was left out."),
    none: () => "",
  }[ownSeed(shoe, seeds)]();
}

function seedsSentence(shoe) {
  const promised = (shoe.seed_commitments ?? []).length;
  const opened = (shoe.opened ?? []).filter(Boolean).length;
  if (!promised) return say("Nobody gave a seed, so the house could have tried out secrets.");
  return say("Seeds promised: {promised}; opened: {opened}.", { promised, opened });
}

function card(finding, kept, at) {
  const { shoe, rounds, verdict } = finding;
  const outcome = outcomeFor(finding, kept.commitments);
  const ownWord = seedSentence(shoe, kept.seeds.get(shoe.id));
  const heading = `verify-shoe-${at}`;
  return h("article", { class: "shoe", "data-outcome": outcome, "aria-labelledby": heading },
    h("h2", { id: heading }, say("Shoe {shoe}", { shoe: shoe.id })),
    h("p", { class: "outcome" }, h("span", { "aria-hidden": "true" }, SIGNS[outcome]), ` ${outcomeWord(outcome)}`),
    h("p", {}, SENTENCES[verdict.code](verdict.facts), whereabouts(finding)),
    h("p", {}, plural("{n} round of this file is from it.", "{n} rounds of this file are from it.", rounds.length)),
    h("p", {}, seedsSentence(shoe)),
    ownWord && h("p", {}, ownWord),
    h("p", {}, say("Commitment: {commitment}", { commitment: "" }), h("code", {}, shoe.commitment)),
    h("p", { class: "kept" }, keptSentence(shoe, kept.commitments.get(shoe.id))));
}

/** The round in which the card lies that does not fit. */
function whereabouts({ verdict, rounds }) {
  if (verdict.code !== "verdict.card") return "";
  const { index } = verdict.facts;
  const round = rounds.find(({ first, cards }) => first <= index && index < first + cards.length);
  return round ? " " + say("That was in round {number}.", { number: round.number }) : "";
}

// --- a file ----------------------------------------------------------------------------------------------------------

function summary(outcomes) {
  const count = (which) => outcomes.filter((one) => one === which).length;
  const shoes = plural("{n} shoe.", "{n} shoes.", outcomes.length);
  const counted = say("OK: {ok}; pending: {pending}; mismatch: {mismatch}.",
    { ok: count("ok"), pending: count("pending"), mismatch: count("mismatch") });
  return `${shoes} ${counted}`;
}

function notes(history, every, kept) {
  const silent = unnamed(history);
  const missing = unheard(every.map((one) => one.id), kept.commitments);
  return [
    silent && plural("{n} round does not say from which shoe or place it was dealt: it cannot be verified.",
      "{n} rounds do not say from which shoe or place they were dealt: they cannot be verified.", silent),
    missing.length && say("This browser kept commitments of shoes that are not in this file: {shoes}. No round of them is over yet, or they were thrown away.", { shoes: missing.join(", ") }),
  ].filter(Boolean).map((text) => h("p", { class: "note" }, text));
}

function show(name, bytes, table) {
  const history = readHistory(bytes);
  const kept = { commitments: keptCommitments(table), seeds: keptSeeds(table) };
  const every = findings(history);
  const outcomes = every.map((one) => outcomeFor(one, kept.commitments));
  shown.replaceChildren(...every.map((one, at) => card(one, kept, at)), ...notes(history, every, kept));
  place.dataset.outcome = outcomes.includes("mismatch") ? "mismatch" : outcomes.includes("ok") ? "ok" : "pending";
  state.textContent = `${name}: ${summary(outcomes)}`;
}

function complain(name, error) {
  if (!(error instanceof Unreadable)) throw error;
  shown.replaceChildren();
  place.dataset.outcome = "unreadable";
  state.textContent = `${name}: ${explained(error)}`;
}

/** Checks what `fetched` gives (the bytes of a file, or Unreadable), beside what was kept of that table, or of all. */
async function check(name, fetched, table = "") {
  state.textContent = say("Checking …");
  try {
    show(name, await fetched(), table);
  } catch (error) {
    complain(name, error);
  }
}

async function bytesOf(file) {
  try {
    return new Uint8Array(await file.arrayBuffer());
  } catch {
    throw new Unreadable("verify.unreadable");
  }
}

async function bytesAt(code) {
  let answer;
  try {
    answer = await fetch(`/t/${code}/history.bjh`, { cache: "no-store" });
  } catch {
    throw new Unreadable("verify.unreadable");
  }
  if (!answer.ok) throw new Unreadable("verify.no_table");
  return new Uint8Array(await answer.arrayBuffer());
}

function chosen(file) {
  if (file) check(file.name, () => bytesOf(file));
}

function listen() {
  input.addEventListener("change", () => chosen(input.files[0]));
  place.addEventListener("dragover", (event) => {
    event.preventDefault();
    place.classList.add("over");
  });
  place.addEventListener("dragleave", () => place.classList.remove("over"));
  place.addEventListener("drop", (event) => {
    event.preventDefault();
    place.classList.remove("over");
    chosen(event.dataTransfer.files[0]);
  });
}

await load(place.dataset.lang);
listen();
const code = new URLSearchParams(location.search).get("t") ?? "";
if (CODE.test(code)) check(say("Table {code}", { code }), () => bytesAt(code), code);
else chosen(input.files[0]);
input.disabled = false;
