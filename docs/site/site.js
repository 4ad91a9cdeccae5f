// The search, and "on this page" unfolded where there is room for it. The index (search_index.js) is a script, because a
// page that was opened from a disk may load scripts and nothing else; it is loaded when someone wants to search.
"use strict";

const contents = document.querySelector("details.contents");
if (contents && matchMedia("(min-width: 1351px)").matches) contents.open = true;

const search = document.querySelector(".search");
const input = search.querySelector("input");
const list = search.querySelector("ol");
const root = search.dataset.root;

function loadIndex() {
  if (document.getElementById("search-index")) return;
  const script = document.createElement("script");
  script.id = "search-index";
  script.src = root + "site/search_index.js";
  script.onload = show;
  document.head.append(script);
}

// Entries that hold every word. A word in a heading counts most; then how often the text has it.
function matches(words) {
  const found = [];
  for (const [page, heading, address, text] of globalThis.SEARCH_INDEX) {
    const title = (page + " " + heading).toLowerCase();
    const body = text.toLowerCase();
    let score = 0;
    for (const word of words) {
      const inTitle = title.includes(word);
      const inBody = body.split(word).length - 1;
      if (!inTitle && !inBody) { score = 0; break; }
      score += (inTitle ? 20 : 0) + (heading.toLowerCase() === word ? 40 : 0) + Math.min(inBody, 10);
    }
    if (score) found.push({ score, page, heading, address, text });
  }
  return found.sort((a, b) => b.score - a.score).slice(0, 30);
}

// The text around the first word, with all words marked. Nodes, not HTML: the text may hold anything.
function excerpt(text, words) {
  const small = document.createElement("small");
  const at = Math.max(0, text.toLowerCase().indexOf(words.find((word) => text.toLowerCase().includes(word)) ?? "") - 60);
  const escaped = words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  const pieces = text.slice(at, at + 180).split(new RegExp(`(${escaped.join("|")})`, "i"));
  pieces.forEach((piece, i) => {
    if (i % 2) small.append(Object.assign(document.createElement("mark"), { textContent: piece }));
    else small.append(piece);
  });
  return small;
}

function show() {
  const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
  list.replaceChildren();
  list.hidden = !words.length || !globalThis.SEARCH_INDEX;
  if (list.hidden) return;
  for (const { page, heading, address, text } of matches(words)) {
    const link = document.createElement("a");
    link.href = root + address;
    link.append(Object.assign(document.createElement("b"), { textContent: heading || page }));
    if (heading) link.append(" in " + page);
    link.append(excerpt(text, words));
    const item = document.createElement("li");
    item.append(link);
    list.append(item);
  }
  if (!list.children.length) list.append(Object.assign(document.createElement("li"), { textContent: "Nothing found." }));
}

input.addEventListener("focus", loadIndex);
input.addEventListener("input", show);
input.addEventListener("keydown", (event) => {
  if (event.key === "Enter") list.querySelector("a")?.click();
});
list.addEventListener("click", () => { list.hidden = true; });
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") list.hidden = true;
  if (event.key !== "/" || event.ctrlKey || event.metaKey || event.target.closest("input, textarea")) return;
  event.preventDefault();
  input.focus();
});
document.addEventListener("click", (event) => {
  if (!search.contains(event.target)) list.hidden = true;
});
