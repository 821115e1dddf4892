// The list of articles: rows, search, and the sentinel that loads the next batch.

import { act, attributes, badge, errorView, find, h, picture, place, showBadge, update } from "./parts.js";

const rows = find("rows");
const end = find("end");
const failure = errorView(() => act("retry"));
const ending = h("span");
let state = { hasMore: false, isLoading: false };
let marks = new Map();
let picked = null;
/** The rows in their order, and by the ID of their article. */
let order = [];
const byID = new Map();

/** Shows a change of the rows: those that came are between the first `keep` and the last `tail`, which stay. */
export function showRows({ keep, rows: articles, tail }) {
  const stop = order.length - tail;
  const former = new Map(order.slice(keep, stop).map(item => [Number(item.dataset.id), item]));
  const fresh = articles.map(article => {
    const item = former.get(article.id) ?? makeRow(article);
    former.delete(article.id);
    return fill(item, article);
  });
  for (const [id, item] of former) {
    item.remove();
    byID.delete(id);
  }
  const next = tail ? order[stop] : null;
  if (tail) {
    order = order.slice(0, keep).concat(fresh, order.slice(stop));
  } else {
    order.length = keep;
    for (const item of fresh) order.push(item);
  }
  arrange(fresh, next);
  pick(picked);
  showEnd();
}

/** Brings rows into the document, before one that is there. Those in their place keep the focus. */
function arrange(items, next) {
  for (const item of items.toReversed()) {
    if (item.parentNode !== rows || item.nextSibling !== next) rows.insertBefore(item, next);
    next = item;
  }
}

/** Shows how far the list is. */
export function showList(list) {
  state = list;
  const search = find("search");
  if (document.activeElement !== search) update(search, { value: list.search });
  update(find("refresh"), { disabled: list.isRefreshing });
  update(find("notice"), { hidden: !list.nothingFound, textContent: list.nothingFound ? `No articles about “${list.nothingFound}”` : "" });
  showEnd();
}

function showEnd() {
  const articles = order.length === 1 ? "1 article" : `${order.length} articles`;
  update(find("count"), { textContent: state.isRefreshing ? "refreshing …" : state.isStale ? `${articles}, from before` : articles });
  const isComplete = !state.hasMore && !state.isSearching && order.length > 0;
  update(ending, { textContent: state.isLoading ? "Loading …" : isComplete ? "That is all." : "" });
  place(end, state.error ? failure.show(state.error) : ending);
  watch();
}

/** Marks the rows of articles with changes. */
export function showMarks(changes) {
  const former = marks;
  marks = new Map(changes.filter(change => change.article != null).reverse().map(change => [change.article, change.state]));
  for (const id of new Set([...former.keys(), ...marks.keys()])) if (byID.has(id)) showBadge(byID.get(id).mark, marks.get(id));
}

/** Marks the row of the open article. */
export function pick(id) {
  if (picked !== id) mark(picked, false);
  picked = id;
  mark(id, true);
}

function mark(id, isPicked) {
  const item = byID.get(id);
  if (!item) return;
  item.classList.toggle("picked", isPicked);
  attributes(item.firstChild, { "aria-current": isPicked ? "true" : null });
}

/** Moves the focus to an article's row, or to the search if there is none. */
export function focusRow(id) {
  (byID.get(id)?.firstChild ?? find("search")).focus();
}

function makeRow(article) {
  const item = h("li");
  item.dataset.id = article.id;
  item.heading = h("b");
  item.labels = h("small");
  item.mark = badge();
  const image = picture(article.id, { loading: "lazy", width: 80, height: 45 });
  item.append(h("button", { type: "button", onclick: () => act("open", { id: article.id }) }, image, h("span", {}, item.heading, item.labels, " ", item.mark)));
  byID.set(article.id, item);
  return item;
}

function fill(item, article) {
  update(item.heading, { textContent: article.title });
  update(item.labels, { textContent: article.tags.join(", ") });
  showBadge(item.mark, marks.get(article.id));
  return item;
}

// The sentinel: observed again after each change, so that a batch that doesn't fill the window is followed by the next one.
const sentinel = new IntersectionObserver(entries => {
  const isVisible = entries.some(entry => entry.isIntersecting);
  if (isVisible && state.hasMore && !state.isLoading && !state.error) act("loadMore");
}, { root: find("list"), rootMargin: "400px" });

function watch() {
  sentinel.disconnect();
  sentinel.observe(end);
}

find("search").addEventListener("input", event => act("search", { text: event.target.value }));
find("refresh").addEventListener("click", () => act("refresh"));
find("create").addEventListener("click", () => act("create"));
