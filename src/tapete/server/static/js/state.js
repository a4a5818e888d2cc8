// State: the table as the server last told it. Nothing here is guessed: a snapshot replaces all, an update brings the
// parts that changed, and whatever is older than what is known is passed over.

export function fresh() {
  return { seq: 0, you: "", about: null, view: null, log: [], history: [], room: null };
}

function snapshot(state, message) {
  const { seq, you, about, view, log, history } = message;
  return { ...state, seq, you, about, view, log: [...log], history: [...history] };
}

function changed(view, changes) {
  const { boxes = {}, ...rest } = changes;
  const merged = { ...view, ...rest };
  if (Object.keys(boxes).length) merged.boxes = view.boxes.map((box) => boxes[box.box] ?? box);
  return merged;
}

/** The numbers of the finished rounds that can be looked at again. */
function finished(state, view) {
  const last = view.phase === "bets" ? view.round : view.round - 1;
  return last > 0 && !state.history.includes(last) ? [...state.history, last].slice(-20) : state.history;
}

function update(state, message) {
  const first = message.seq - message.events.length + 1;
  if (message.seq <= state.seq) return state;
  if (first > state.seq + 1) return null;
  const view = changed(state.view, message.changes);
  const news = message.events.filter((one) => one.seq > state.seq);
  const log = [...state.log, ...news].slice(-600);
  return { ...state, seq: message.seq, view, log, history: finished(state, view) };
}

/** The state after a message; null when something between is missing and a snapshot is needed. */
export function next(state, message) {
  if (message.type === "snapshot") return snapshot(state, message);
  if (message.type === "room") return { ...state, room: message };
  if (message.type === "update") return state.view ? update(state, message) : state;
  return state;
}

// --- looking at it --------------------------------------------------------------------------------------------------

export const boxOf = (view, number) => view.boxes.find((box) => box.box === number);
export const person = (view, name) => view.people.find((one) => one.name === name);
export const mine = (state) => state.view.boxes.filter((box) => box.holder && box.holder === state.you);
export const betOf = (box, name) => box.bets.find((bet) => bet.name === name)?.amount ?? 0;
export const questions = (state) => state.view.questions.filter((one) => one.bettor === state.you);
export const playing = (state) => state.view.phase !== "bets";
export const isHost = (state) => Boolean(state.you) && state.room?.host === state.you;

/** A switch of the rule set as text, or its amount in units. */
export const rule = (state, key) => state.about.rules[key];
export function ruleUnits(state, key) {
  const text = rule(state, key);
  return text === "none" ? null : Math.round(Number(text) * 100);
}

/** The bets that the last round began with: `[{box, name, amount}]`. */
export function lastBets(state) {
  const lock = state.log.findLast((one) => one.event.type === "Lock")?.event;
  if (!lock) return [];
  return lock.boxes.flatMap((box) => [
    { box: box.box, name: box.holder, amount: box.amount },
    ...(box.backers ?? []).map((one) => ({ box: box.box, name: one.bettor, amount: one.amount })),
  ]);
}
