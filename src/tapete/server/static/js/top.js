// Top: the slim line above the cloth.

import { h } from "./dom.js";
import { plural, say, told } from "./words.js";
import { prefs } from "./prefs.js";
import { rule } from "./state.js";

function tool(name, key, text, attributes = {}) {
  return h("button", { type: "button", class: "top-tool", "data-do": name, "aria-keyshortcuts": key || null, key: name, ...attributes }, text);
}

function penetration(shown) {
  const { shoe } = shown;
  return shoe ? say("{percent} % dealt", { percent: Math.round((100 * (shoe.cards - shoe.left)) / shoe.cards) }) : "";
}

function net(app) {
  if (app.ui.line === "on") return null;
  return h("span", { class: "offline", key: "net", role: "status" }, app.ui.line === "over" ? say("This table is closed.") : say("Reconnecting …"));
}

/** What the line has room for: all of it, or on a narrow screen the log and a menu with the rest. */
function tools(app) {
  const log = tool("log", "j", say("Log"), { "aria-pressed": String(app.logOpen()) });
  if (app.narrow) return [log, tool("menu", "", say("Menu"), { "aria-haspopup": "dialog" })];
  return [
    tool("people", "w", say("People")),
    h("a", { class: "top-tool", href: `/t/${app.state.about.code}/rules`, target: "_blank", key: "rules" }, say("Rules")),
    log,
    tool("fair", "", say("Fair")),
    tool("settings", "", say("Settings")),
    tool("help", "?", say("Help")),
    tool("leave", "q", say("Leave")),
  ];
}

export function top(app) {
  const { state, shown } = app;
  const packs = Number(rule(state, "decks"));
  return h(
    "header",
    { class: "line", key: "line" },
    h("a", { class: "brand", href: "/" }, "Tapete"),
    h("h1", {}, told(state.about.title)),
    h(
      "p",
      { class: "facts" },
      shown.round ? h("span", {}, say("Round {number}", { number: shown.round })) : null,
      h("span", { class: "more" }, plural("{n} pack", "{n} packs", packs)),
      h("span", { class: "more" }, penetration(shown)),
    ),
    net(app),
    state.room?.paused && h("span", { class: "offline", key: "paused" }, say("Paused")),
    state.room?.closing && h("span", { class: "offline", key: "closing" }, say("The table closes after this round.")),
    app.clock.view(),
    h("nav", { class: "top-tools", key: "tools", "aria-label": say("Table") }, tools(app)),
  );
}

/** Whether the log is open: as chosen, else where there is room for it. */
export const logOpen = (app) => (prefs.log === null ? !app.narrow && innerWidth >= 1200 : prefs.log);
