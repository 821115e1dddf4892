// Connects the page with its server: the state comes as events, actions go as requests.

import { act, badge, button, find, h } from "./parts.js";
import { showArticle, showEditor } from "./article.js";
import { showList } from "./list.js";

const show = { account: showAccount, network: showNetwork, changes: showChanges, news: showNews, list: showList, article: showArticle, editor: showEditor };
let network = {};
let changes = [];

function connect() {
  // After a reconnection the whole state comes again.
  const source = new EventSource("state");
  for (const [name, part] of Object.entries(show)) {
    source.addEventListener(name, event => part(JSON.parse(event.data)));
  }
  source.onopen = () => { find("lost").hidden = true; };
  source.onerror = () => { find("lost").hidden = false; };
}

function showAccount(account) {
  const form = find("sign-in");
  for (const id of ["bar", "screens", "news", "changes"]) find(id).classList.toggle("away", !account.isSignedIn);
  form.hidden = account.isSignedIn !== false;
  form.querySelector("button").disabled = account.isSigningIn;
  form.querySelector(".bad").hidden = !account.message;
  form.querySelector(".bad").textContent = account.message ?? "";
  if (account.isSignedIn) form.password.value = "";
  find("account").replaceChildren(...accountParts(account));
  drawBanner(account);
}

function accountParts({ name, upload }) {
  const file = h("input", { type: "file", accept: "image/*", hidden: true, onchange: event => send(event.target.files[0]) });
  const progress = upload.isRunning
    ? h("progress", { id: "upload", max: 1, value: upload.fraction ?? 0, title: "The picture is being uploaded" })
    : button(upload.bytes ? "Picture ✓" : "Picture", () => file.click(), { title: upload.error ?? "Upload a picture of you", className: upload.error ? "danger" : "" });
  return [h("span", { className: "name", textContent: name ?? "" }), file, progress, button("Sign out", () => act("signOut"), { id: "sign-out" })];
}

/** Uploads a picture of the user. */
async function send(picture) {
  if (picture) await fetch("upload", { method: "POST", body: picture });
}

function showNetwork(state) {
  network = state;
  find("condition").value = state.condition;
  drawBanner();
}

function showChanges({ items, failure }) {
  changes = items;
  const list = find("changes");
  list.hidden = !items.length && !failure;
  const refused = items.filter(item => ["conflict", "failed"].includes(item.state)).length;
  list.querySelector("summary").textContent = failure ?? [count(items.length - refused, "not sent yet"), count(refused, "to decide")].filter(Boolean).join(", ");
  list.querySelector("ol").replaceChildren(...items.map(changeView), failure ? button("Try again", () => act("retry")) : "");
  drawBanner();
}

const count = (number, state) => number && `${number} change${number === 1 ? "" : "s"} ${state}`;

function changeView(change) {
  const open = button(change.title, () => act("open", { id: change.article }), { className: "link", disabled: change.article == null });
  const undo = button("Discard", () => act("discard", { change: change.id }), { disabled: change.state === "sending" });
  return h("li", {}, open, badge(change.state), undo);
}

function drawBanner() {
  const waiting = changes.filter(change => ["waiting", "sending"].includes(change.state)).length;
  find("banner").hidden = network.isOnline !== false || find("bar").classList.contains("away");
  find("banner").textContent = waiting
    ? `You are offline. ${waiting === 1 ? "1 change waits" : `${waiting} changes wait`} for the network.`
    : "You are offline. What was loaded stays readable.";
}

const words = { created: "is new", changed: "was changed", deleted: "was deleted", commented: "has a new comment" };

function showNews(news) {
  const line = item => `“${item.title}” ${words[item.kind] ?? item.kind}`;
  const open = news.state === "open";
  const state = open ? "Live" : news.state === "idle" ? "Not connected" : "Connecting";
  const latest = news.items[0] ? line(news.items[0]) : open ? "changes of articles appear here" : "";
  find("news").querySelector("summary").replaceChildren(h("i", { className: open ? "open" : "" }), latest ? `${state} · ${latest}` : state);
  find("news").querySelector("ol").replaceChildren(...news.items.map(item => h("li", { textContent: line(item) })));
}

find("condition").addEventListener("change", event => act("network", { condition: event.target.value }));
find("sign-in").addEventListener("submit", event => {
  event.preventDefault();
  const { name, password } = event.target;
  act("signIn", { login: { name: name.value, password: password.value } });
});

connect();
window.reader = { act, send };
