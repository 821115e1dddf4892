// Connects the page with its server: the state comes as events, actions go as requests.

import { act, badge, button, find, h, keyed, reloadPictures, request, showBadge, showFailure, update } from "./parts.js";
import { showArticle, showEditor } from "./article.js";
import { showList, showMarks, showRows } from "./list.js";

const show = { account: showAccount, network: showNetwork, changes: showChanges, news: showNews, list: showList, rows: showRows, article: showArticle, editor: showEditor, question: showQuestion };
let network = {};
let changes = [];

function connect() {
  // After a reconnection the whole state comes again.
  const source = new EventSource("state");
  for (const [name, part] of Object.entries(show)) {
    source.addEventListener(name, event => part(JSON.parse(event.data)));
  }
  source.onopen = () => update(find("lost"), { hidden: true });
  source.onerror = () => {
    update(find("lost"), { hidden: false });
    // After a refusal, the browser doesn't connect again.
    if (source.readyState === EventSource.CLOSED) setTimeout(connect, 2000);
  };
}

// Made once: what stays in the document keeps its focus.
const account = {
  name: h("span", { className: "name" }),
  file: h("input", { type: "file", accept: "image/*", hidden: true, onchange: event => send(event.target.files[0]) }),
  progress: h("progress", { id: "upload", max: 1, hidden: true, title: "The picture is being uploaded" }),
  picture: button("Picture", () => account.file.click(), { id: "picture", title: "Upload a picture of you" }),
  error: h("span", { className: "bad", id: "upload-error", role: "alert" }),
  signOut: button("Sign out", () => act("signOut"), { id: "sign-out" }),
};
find("account").append(account.name, account.file, account.progress, account.picture, account.error, account.signOut);

function showAccount(state) {
  const form = find("sign-in");
  for (const id of ["bar", "screens", "news", "changes"]) find(id).classList.toggle("away", !state.isSignedIn);
  update(form, { hidden: state.isSignedIn !== false });
  update(form.querySelector("button"), { disabled: state.isSigningIn });
  update(form.querySelector(".bad"), { hidden: !state.message, textContent: state.message ?? "" });
  update(find("ended"), { hidden: !state.hasEnded });
  if (state.isSignedIn) form.password.value = "";
  // The token can't be read, or the sign-out has failed.
  const isStuck = state.isSignedIn !== false && Boolean(state.message);
  update(find("trouble"), { hidden: !isStuck });
  update(find("trouble").lastChild, { hidden: state.isSignedIn === true });
  update(find("trouble").firstChild, { textContent: isStuck ? state.message : "" });
  showUser(state);
  drawBanner();
}

function showUser({ name, upload, isSigningOut }) {
  update(account.name, { textContent: name ?? "" });
  update(account.progress, { hidden: !upload.isRunning, value: upload.fraction ?? 0 });
  update(account.picture, { hidden: upload.isRunning, textContent: upload.bytes ? "Picture ✓" : "Picture" });
  update(account.error, { textContent: upload.error ?? "" });
  update(account.signOut, { disabled: isSigningOut, textContent: isSigningOut ? "Signing out …" : "Sign out" });
}

/** Uploads a picture of the user. */
async function send(picture) {
  try {
    if (picture) await request("upload", picture);
  } catch (error) {
    showFailure(`The picture wasn't uploaded: ${error.message}`);
  }
}

function showNetwork(state) {
  if (state.isOnline && network.condition !== state.condition) reloadPictures();
  network = state;
  update(find("condition"), { value: state.condition });
  drawBanner();
}

const summary = h("span");
find("changes").querySelector("summary").append(summary);

function showChanges({ items, failure }) {
  changes = items;
  showMarks(items);
  const list = find("changes");
  update(list, { hidden: !items.length && !failure });
  const refused = items.filter(item => ["conflict", "failed"].includes(item.state)).length;
  const counts = [count(items.length - refused, "not sent yet"), count(refused, "to decide")].filter(Boolean).join(", ");
  update(summary, { textContent: [failure, counts].filter(Boolean).join(" · ") });
  keyed(list.querySelector("ol"), items, item => item.id, makeChange, (row, item) => row.show(item));
  drawBanner();
}

const count = (number, state) => number && `${number} change${number === 1 ? "" : "s"} ${state}`;

function makeChange(change) {
  const [open, mark] = [button("", () => act("open", { id: change.article }), { className: "link" }), badge()];
  const undo = button("Discard", () => act("discard", { change: change.id }));
  const row = h("li", {}, open, mark, undo);
  row.show = item => {
    update(open, { textContent: item.title, disabled: item.article == null });
    showBadge(mark, item.state);
    update(undo, { disabled: item.state === "sending" });
  };
  return row;
}

function drawBanner() {
  const waiting = changes.filter(change => ["waiting", "sending"].includes(change.state)).length;
  update(find("banner"), {
    hidden: network.isOnline !== false || find("bar").classList.contains("away"),
    textContent: waiting
      ? `You are offline. ${waiting === 1 ? "1 change waits" : `${waiting} changes wait`} for the network.`
      : "You are offline. What was loaded stays readable.",
  });
}

const words = { created: "is new", changed: "was changed", deleted: "was deleted", commented: "has a new comment" };
const light = h("i");
const latest = h("span");
find("news").querySelector("summary").append(light, latest);

function showNews(news) {
  const line = item => `“${item.title}” ${words[item.kind] ?? item.kind}`;
  const open = news.state === "open";
  const state = { open: "Live", idle: "Not connected", ended: `Ended${news.error ? `: ${news.error}` : ""}` }[news.state] ?? "Connecting";
  const text = news.items[0] ? line(news.items[0]) : open ? "changes of articles appear here" : "";
  update(light, { className: open ? "open" : "" });
  update(latest, { textContent: text ? `${state} · ${text}` : state });
  update(find("listen"), { hidden: news.state !== "ended" });
  keyed(find("news").querySelector("ol"), news.items, item => item.number, () => h("li"), (row, item) => update(row, { textContent: line(item) }));
}

/** Asks before something that was written is lost. */
function showQuestion(question) {
  const dialog = find("question");
  if (!question) return dialog.open && dialog.close();
  const changes = question.count === 1 ? "1 change waits" : `${question.count} changes wait`;
  update(dialog.querySelector("p"), {
    textContent: question.about === "form" ? "Discard what you wrote?" : `${changes} for the network, and would be lost. Sign out?`,
  });
  update(find("confirm"), { textContent: question.about === "form" ? "Discard" : "Sign out" });
  if (!dialog.open) dialog.showModal();
}

find("condition").addEventListener("change", event => act("network", { condition: event.target.value }));
find("listen").addEventListener("click", () => act("listen"));
find("confirm").addEventListener("click", () => act("confirm"));
find("stay").addEventListener("click", () => act("stay"));
find("question").addEventListener("cancel", () => act("stay"));
find("trouble").querySelector("button").addEventListener("click", () => act("retry"));
find("sign-in").addEventListener("submit", event => {
  event.preventDefault();
  const { name, password } = event.target;
  act("signIn", { login: { name: name.value, password: password.value } });
});
document.addEventListener("visibilitychange", () => act("focus", { isVisible: !document.hidden }));
window.addEventListener("online", reloadPictures);

connect();
window.reader = { act, send };
