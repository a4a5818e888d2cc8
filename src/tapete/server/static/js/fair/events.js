/** The cards in the event lines of a round (docs/history-format.md, "Event lines"). */

import { Unreadable } from "./toml.js";

const FACE = "((?:[A2-9JQK]|10)[shdc](?:/[1-3])?)";
const PLACE = "b[1-9][0-9]?(?:\\.[1-9][0-9]?)?";
const NAME = '(?:"(?:[^"\\\\]|\\\\.)*"|[\\p{L}\\p{N}_-]+)';
const DEED = "(?:hit|stand|double|split|retires|keeps|insures [1-9][0-9]{0,15}|no insurance|matches|stays)";

const line = (pattern) => new RegExp(`^${pattern}$`, "u");
const BOX = line(`${PLACE} card (?:${FACE}|\\?\\?)`);
const DEALER = line(`dealer (?:up|draws) ${FACE}`);
const TURNED = line(`dealer turns ${FACE}`);
const HOLE = "dealer hole ??";
const CHECKED = line("dealer checks (?:no )?blackjack");
const VOID = line(`void ${NAME}`);
const DECIDED = line(`(?!dealer |void |b[0-9.]+ b)(?:${NAME} )?${PLACE} ${DEED}(?: by (?:clock|bot))?`);

/**
 * The cards of a round as they left the shoe, null for one that nobody saw. The hole card counts where it was dealt.
 */
export function cardsOf(events, begins) {
  const turned = events.map((event) => TURNED.exec(event)).find(Boolean)?.[1] ?? null;
  const cards = [];
  for (const event of events) {
    const dealt = BOX.exec(event) ?? DEALER.exec(event);
    if (dealt) cards.push(dealt[1] ?? turned);
    else if (event === HOLE) cards.push(turned);
    else if (![TURNED, CHECKED, VOID, DECIDED].some((known) => known.test(event))) {
      throw new Unreadable("verify.event", begins, { event: event.slice(0, 80) });
    }
  }
  return cards;
}
