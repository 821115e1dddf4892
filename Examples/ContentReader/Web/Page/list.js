// The list of articles: rows, search, and the sentinel that loads the next part.

import { act, badge, errorView, find, h, picture } from "./parts.js";

const rows = find("rows");
const end = find("end");
let state = { hasMore: false, isLoading: false };
let picked = null;

/** Shows a change of the list: the first `keep` rows stay. */
export function showList(list) {
  state = list;
  while (rows.children.length > list.keep) rows.lastChild.remove();
  rows.append(...list.rows.map(row));
  pick(picked);
  if (document.activeElement !== find("search")) find("search").value = list.search;
  const count = rows.children.length;
  const articles = count === 1 ? "1 article" : `${count} articles`;
  find("count").textContent = list.isRefreshing ? "refreshing …" : list.isStale ? `${articles}, from before` : articles;
  find("refresh").disabled = list.isRefreshing;
  find("notice").hidden = !list.searchMessage;
  find("notice").textContent = list.searchMessage ?? "";
  end.replaceChildren(...ending(list));
  watch();
}

/** Marks the row of the open article. */
export function pick(id) {
  rows.querySelector(".picked")?.classList.remove("picked");
  picked = id;
  rows.querySelector(`[data-id="${id}"]`)?.classList.add("picked");
}

function row(article) {
  const text = h("span", {}, h("b", { textContent: article.title }),
    h("small", { textContent: article.tags.join(", ") }), " ",
    badge(article.change));
  const image = picture(article.id, { loading: "lazy", width: 80, height: 45 });
  const item = h("li", {}, h("button", { type: "button", onclick: () => act("open", { id: article.id }) }, image, text));
  item.dataset.id = article.id;
  return item;
}

function ending(list) {
  if (list.error) return [errorView(list.error, () => act("retry"))];
  if (list.isLoading) return ["Loading …"];
  if (!list.hasMore && !list.isSearching && rows.children.length) return ["That is all."];
  return [];
}

// The sentinel: observed anew after each change, so that a part that doesn't fill the window is followed by the next one.
const sentinel = new IntersectionObserver(entries => {
  const isVisible = entries.some(entry => entry.isIntersecting);
  if (isVisible && state.hasMore && !state.isLoading && !state.error) act("loadMore");
}, { root: find("list"), rootMargin: "400px" });

function watch() {
  sentinel.disconnect();
  sentinel.observe(end);
}

let typing;
find("search").addEventListener("input", event => {
  // In order: the last text is the one that counts.
  const text = event.target.value;
  typing = Promise.resolve(typing).then(() => act("search", { text }));
});
find("refresh").addEventListener("click", () => act("refresh"));
find("create").addEventListener("click", () => act("create"));
