// What is wrong with the layout of the table as it stands: pairs of a fault and where it is.
() => {
  const found = [];
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];
  const rect = (node) => {
    const own = node.getBoundingClientRect();
    const within = node.closest(".around")?.getBoundingClientRect();
    if (!within) return own;
    return { ...own.toJSON(), top: Math.max(own.top, within.top), bottom: Math.min(own.bottom, within.bottom) };
  };
  const hit = (a, b) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;
  const apart = (nodes) => {
    nodes.forEach((one, at) => {
      for (const two of nodes.slice(at + 1)) if (hit(rect(one), rect(two))) found.push(["overlap", one.className, two.className]);
    });
  };

  apart(all(".box"));
  apart(all(".hand"));
  if (!document.getElementById("table").classList.contains("narrow")) apart(all(".line, .felt, .desk"));

  for (const hand of all(".hand")) {
    const cards = all(".place", hand).map(rect);
    if (cards.some((card) => card.right > rect(hand).right + 3)) found.push(["card out of hand", hand.dataset.key]);
    const steps = cards.slice(1).map((card, at) => (card.left - cards[at].left) / card.width);
    if (steps.some((step) => step < 0.37)) found.push(["index hidden", hand.dataset.key]);
  }

  for (const word of all(".move .word, .total strong, .tool .word")) {
    if (word.clientWidth && word.scrollWidth > word.clientWidth + 2) found.push(["word cut", word.textContent]);
  }

  // A single word stands on one line: "Plantars-e" is no button.
  for (const word of all(".move .word, .tool .word")) {
    const text = word.firstChild;
    if (text?.nodeType !== Node.TEXT_NODE || text.data.includes(" ")) continue;
    const range = document.createRange();
    range.selectNode(text);
    if (new Set([...range.getClientRects()].map((one) => Math.round(one.top))).size > 1) found.push(["word broken", text.data]);
  }
  return found;
}
