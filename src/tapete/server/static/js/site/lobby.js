// Keeps the list of open tables fresh while somebody looks at it. Without this script the page is as it was loaded.
const PAUSE = 5000;
const part = document.getElementById("open-tables");

async function refresh() {
  if (document.hidden || part.contains(document.activeElement)) return;
  const answer = await fetch("/open", { credentials: "same-origin" });
  if (!answer.ok) return;
  const fresh = document.createElement("div");
  fresh.innerHTML = await answer.text();
  if (fresh.textContent !== part.textContent) part.replaceChildren(...fresh.childNodes);
}

setInterval(() => refresh().catch(() => {}), PAUSE);
document.addEventListener("visibilitychange", () => refresh().catch(() => {}));
