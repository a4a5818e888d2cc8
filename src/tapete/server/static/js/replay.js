// Goes through a round without loading the page anew: by the links, and by the arrow keys, Home and End.
const at = () => document.getElementById("replay");

async function show(address, { remember }) {
  const answer = await fetch(address, { credentials: "same-origin" });
  if (!answer.ok) return location.assign(address);
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("replay");
  const key = document.activeElement?.dataset?.key;
  const open = at().querySelector("details")?.open ?? false;
  at().replaceWith(fresh);
  at().querySelector("details").open = open;
  if (remember) history.pushState(null, "", address);
  if (key) (at().querySelector(`a[data-key="${key}"]`) ?? at().querySelector("h2")).focus();
}

document.addEventListener("click", (event) => {
  const link = event.target.closest?.("#replay a");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
  event.preventDefault();
  show(link.href, { remember: true });
});

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest?.("input, select, textarea")) return;
  const link = at().querySelector(`a[data-key="${event.key}"]`);
  if (!link) return;
  event.preventDefault();
  show(link.href, { remember: true });
});

addEventListener("popstate", () => show(location.href, { remember: false }));
