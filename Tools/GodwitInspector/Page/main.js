// Connects the list, the detail and the page's server.

import { List, h, parseFilter, prepare } from "./list.js";
import { Detail } from "./detail.js";
import { compareView } from "./export.js";
import { Values } from "./values.js";

const find = id => document.getElementById(id);
const calls = new Map();
const state = { revision: 0, test: () => true, shown: [], dropped: 0, isPaused: false };
const list = new List(find("scroll"), find("space"), n => open(n));
const detail = new Detail(find("detail"), { close, replay, reveal, mark, compare, toast });

const values = new Values(find("values"));

// --- Changes -------------------------------------------------------------------

function take(changes) {
  takeValues(changes.stores);
  const follows = list.isAtEnd;
  for (const n of calls.keys()) {
    if (n >= changes.first) break;
    calls.delete(n);
  }
  let isAppending = true;
  for (const call of changes.calls) {
    isAppending &&= !calls.has(call.n);
    calls.set(call.n, prepare(call));
  }
  [state.revision, state.dropped] = [changes.revision, changes.dropped];
  if (state.isPaused) return count();
  refresh();
  if (follows && isAppending && changes.calls.length) list.scrollToEnd();
  if (detail.n != null) {
    const call = calls.get(detail.n);
    if (!call) close();
    else if (call.r !== detail.revision) detail.refresh(call);
  }
}

function takeValues(stores) {
  values.take(stores);
  find("show-values").textContent = values.count ? `Values (${values.count})` : "Values";
}

function toggleValues() {
  const shows = find("values").hidden;
  find("values").hidden = !shows;
  find("calls").hidden = shows;
  find("show-values").classList.toggle("on", shows);
  find("show-values").setAttribute("aria-pressed", shows);
  values.draw();
  if (!shows) list.draw(true);
}

function refresh() {
  const shown = [];
  for (const call of calls.values()) if (state.test(call)) shown.push(call);
  state.shown = shown;
  list.show(shown);
  count();
}

function count() {
  const total = calls.size;
  const text = state.shown.length === total ? `${total} calls` : `${state.shown.length} of ${total} calls`;
  find("count").textContent = state.dropped ? `${text}, ${state.dropped} events dropped` : text;
  const hint = total ? "No call matches the filter."
    : "Waiting for calls.\n\nSet $0.inspector = .local in a client, or run a debug build with GODWIT_INSPECT=1.";
  find("empty").textContent = state.shown.length ? "" : hint;
}

function connect() {
  const source = new EventSource("live");
  source.onopen = () => status("");
  source.onmessage = event => take(JSON.parse(event.data));
  // Once the page has ended, others may listen on its port: don't send them the token.
  source.onerror = () => {
    source.close();
    status("the page has ended; close this tab");
  };
}

function status(text) {
  find("state").textContent = text;
  find("state").className = text ? "bad" : "";
}

// --- Commands ------------------------------------------------------------------

async function open(n) {
  const call = calls.get(n);
  if (!call) return;
  list.picked = n;
  find("detail").hidden = false;
  document.body.classList.add("narrow");
  list.draw(true);
  await detail.show(call);
}

function close() {
  detail.clear();
  find("detail").hidden = true;
  document.body.classList.remove("narrow");
  list.draw(true);
  find("scroll").focus({ preventScroll: true });
}

async function send(call, command) {
  const response = await fetch(`command?to=${encodeURIComponent(call.p)}`, { method: "POST", body: JSON.stringify(command) });
  if (!response.ok) toast("The page did not accept this.");
  return response.ok;
}

async function replay(call) {
  if (call.source === "server") { toast("Only the client can send this call again"); return; }
  if (await send(call, { replay: call.c })) toast(`Asked ${call.p} to send call ${call.c} again`);
}

function reveal(call, exchange, part) { return send(call, { call: call.c, exchange, part }); }

function mark(call) {
  list.marked = list.marked === call.n ? null : call.n;
  list.draw(true);
  toast(list.marked ? "Marked. Open another call to compare it with this one." : "Mark removed");
}

async function compare(call) {
  const other = calls.get(list.marked);
  if (!other) return toast("Mark a call first (m), then open another one.");
  const [a, b] = await Promise.all([detail.load(other.n), detail.load(call.n)]);
  if (a && b) detail.replace(compareView(a, b, () => detail.show(call)));
}

let timer;
function toast(text) {
  clearTimeout(timer);
  find("toast").textContent = text;
  find("toast").hidden = false;
  timer = setTimeout(() => { find("toast").hidden = true; }, 2500);
}

// --- Input ---------------------------------------------------------------------

find("filter").addEventListener("input", event => {
  state.test = parseFilter(event.target.value);
  refresh();
});

find("pause").addEventListener("click", () => {
  state.isPaused = !state.isPaused;
  find("pause").classList.toggle("on", state.isPaused);
  find("pause").textContent = state.isPaused ? "Resume" : "Pause";
  if (!state.isPaused) refresh();
});

find("show-values").addEventListener("click", toggleValues);

find("clear").addEventListener("click", () => fetch("clear", { method: "POST" }));

const picked = () => calls.get(list.picked);

const keys = {
  j: () => step(1), ArrowDown: () => step(1), k: () => step(-1), ArrowUp: () => step(-1),
  PageDown: () => step(20), PageUp: () => step(-20), Home: () => step(-Infinity), End: () => step(Infinity),
  Enter: () => picked() && open(picked().n), Escape: () => detail.n != null ? close() : clearFilter(),
  "/": () => find("filter").select(), m: () => picked() && mark(picked()), c: () => picked() && compare(picked()),
  r: () => picked() && replay(picked()), v: toggleValues,
  "?": () => toast("j k: move · Enter: open · Esc: close · /: filter · m: mark · c: compare · r: replay · v: values"),
};

function step(count) {
  const call = list.move(count);
  if (call && detail.n != null) open(call.n);
}

function clearFilter() {
  find("filter").value = "";
  find("filter").dispatchEvent(new Event("input"));
}

document.addEventListener("keydown", event => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target === find("filter")) {
    if (event.key === "Escape") clearFilter();
    if (["Escape", "Enter", "ArrowDown"].includes(event.key)) find("scroll").focus({ preventScroll: true });
    return;
  }
  if (event.target.closest("button, summary") && ["Enter", " "].includes(event.key)) return;
  const action = keys[event.key];
  if (!action) return;
  event.preventDefault();
  action();
});

count();
connect();
// For the tests, which measure how long the page takes.
window.inspector = { calls, list, refresh, state, values };
