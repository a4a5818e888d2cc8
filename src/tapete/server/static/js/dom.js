// Elements, made fresh by every render and then morphed into those that stand there: focus, scroll and running
// animations survive, and nobody has to remember what changed.

const SVG = "http://www.w3.org/2000/svg";

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === false || value === null || value === undefined) continue;
    node.setAttribute(name === "key" ? "data-key" : name, value === true ? "" : value);
  }
  node.append(...children.flat(4).filter((one) => one !== null && one !== undefined && one !== false && one !== ""));
  return node;
}

/** An HTML element. Attributes that are false, null or undefined are left out; `key` names it among its siblings. */
export function h(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

/** An SVG element. */
export function svg(tag, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

function attributes(from, to) {
  for (const { name } of [...from.attributes]) {
    const kept = name === "open" && from.tagName === "DIALOG";
    if (!to.hasAttribute(name) && !kept) from.removeAttribute(name);
  }
  for (const { name, value } of to.attributes) {
    if (from.getAttribute(name) === value) continue;
    from.setAttribute(name, value);
    if (name === "value" && "value" in from) from.value = value;
  }
  if (from.type === "checkbox" || from.type === "radio") from.checked = to.hasAttribute("checked");
}

function fits(old, fresh) {
  return old.nodeType === fresh.nodeType && old.nodeName === fresh.nodeName && old.dataset?.key === fresh.dataset?.key;
}

/** Makes `from` look like `to`, in place. A node with the same `data-still` on both sides is left as it is. */
export function morph(from, to) {
  if (from.nodeType === Node.TEXT_NODE) {
    if (from.data !== to.data) from.data = to.data;
    return;
  }
  const still = to.dataset?.still;
  const same = still !== undefined && from.dataset.still === still;
  attributes(from, to);
  if (!same) children(from, [...to.childNodes]);
}

/** Makes the children of `parent` look like the list `fresh`, in place. */
export function children(parent, fresh) {
  const keyed = new Map([...parent.children].filter((one) => one.dataset.key).map((one) => [one.dataset.key, one]));
  let at = parent.firstChild;
  for (const node of fresh) {
    const key = node.dataset?.key;
    const old = key ? keyed.get(key) : at;
    if (old && fits(old, node)) {
      if (old === at) at = at.nextSibling;
      else parent.insertBefore(old, at);
      morph(old, node);
    } else {
      parent.insertBefore(node, at);
    }
  }
  while (at) {
    const next = at.nextSibling;
    at.remove();
    at = next;
  }
}
