// Motion: a card comes from the shoe to its place, a hidden one turns. Nothing depends on it.

import * as sound from "./sound.js";

function last(step) {
  if (step.at === "dealer") return document.querySelector(".dealer .place:last-child");
  const [box, hand] = step.at.split(".");
  return document.querySelector(`[data-key="box${box}"] [data-key="h${hand}"] .place:last-child`);
}

function fly(card, time) {
  const [from, to] = [document.getElementById("shoe")?.getBoundingClientRect(), card.getBoundingClientRect()];
  if (!from?.width) return;
  const [x, y] = [from.left + from.width / 2 - to.left - to.width / 2, from.top + from.height / 2 - to.top - to.height / 2];
  card.animate([{ transform: `translate(${x}px, ${y}px) scale(0.7)`, opacity: 0.4 }, { transform: "none", opacity: 1 }], { duration: time, easing: "ease-out" });
}

/** Moves what this step of the deal brought. */
export function arrive(step, time) {
  sound.card();
  if (step.kind === "Dealt") {
    const card = last(step);
    if (card) fly(card, time);
  } else if (step.kind === "Turned") {
    const card = document.querySelector(".dealer .place:nth-child(2)");
    card?.animate([{ transform: "scaleX(0)" }, { transform: "none" }], { duration: time });
  }
}
