// The article, its form, and the choice between two versions.

import { act, badge, button, errorView, find, h, keyed, picture, place, showBadge, showTags, tags, update } from "./parts.js";
import { focusRow, pick } from "./list.js";
import { makeForm, updateForm } from "./form.js";

const detail = find("detail");
const nothing = h("p", { className: "empty", textContent: "Select an article." });
const shown = { article: null, editor: null };
let isComplete = false;
let view = null;
let form = null;

export function showArticle(article) {
  shown.article = article;
  draw();
}

export function showEditor(editor) {
  shown.editor = editor;
  draw();
}

function draw() {
  const { article, editor } = shown;
  const hadFocus = detail.contains(document.activeElement);
  const former = { view, form };
  pick(article?.id);
  document.body.classList.toggle("reading", Boolean(article || editor));
  if (view?.id !== article?.id) view = article ? makeView(article.id) : null;
  if (form?.number !== editor?.number) form = editor ? makeForm(editor) : null;
  if (view) updateView(view, article);
  if (form) updateForm(form, editor);
  place(detail, form?.element ?? view?.element ?? nothing);
  if (isComplete) moveFocus(former, hadFocus);
  isComplete = true;
}

/** To what opens; and back to the row of what closes, if the focus was in it. */
function moveFocus(former, hadFocus) {
  if (form && form !== former.form) form.title.focus();
  else if (!form && former.form && view) focusHeading();
  else if (view && view !== former.view) focusHeading();
  else if (!view && !form && (former.view || former.form) && hadFocus) focusRow(former.view?.id);
}

function focusHeading() {
  view.heading.focus({ preventScroll: true });
}

function makeView(id) {
  const [refusal, conflict, state] = [h("div"), h("div"), h("div")];
  const error = errorView(() => act("retry"));
  const waiting = h("p", { className: "empty" });
  const parts = {
    id, refusal, conflict, state, error, waiting, mark: badge(), labels: tags(), author: h("span"),
    heading: h("h2", { tabIndex: -1 }), body: h("p", { className: "body" }), comments: makeComments(),
    edit: button("Edit", () => act("edit"), { id: "edit" }),
    reload: button("Reload", () => act("reload")),
  };
  parts.content = h("div", { className: "content" },
    picture(id, { className: "picture" }), parts.heading,
    h("p", { className: "soft", id: "byline" }, parts.author, " ", parts.mark), parts.labels, parts.body,
    h("div", { className: "actions" }, parts.edit, parts.reload, button("Delete", () => act("remove"), { id: "remove", className: "danger" })),
    parts.comments.element);
  parts.element = h("article", {}, button("‹ Articles", () => act("close"), { id: "back" }), refusal, conflict, state, parts.content);
  for (const slot of [refusal, conflict, state]) slot.className = "slot";
  return parts;
}

function updateView(view, article) {
  const { version, change } = article;
  place(view.refusal, change?.state === "failed" && !article.isRemoved ? refusalView(view, change) : null);
  place(view.conflict, article.conflict ? conflictView(view, article.conflict, change) : null);
  place(view.state, stateView(view, article));
  update(view.content, { hidden: !version || article.isRemoved });
  if (version) showVersion(view, article);
}

/** Why there is no article, or that it is outdated. */
function stateView(view, article) {
  if (article.isRemoved) return removalView(view, article.change);
  if (article.error) return view.error.show(article.error);
  if (article.version) return null;
  return update(view.waiting, { textContent: article.isLoading ? "Loading …" : "This article doesn't exist any more." });
}

function showVersion(view, article) {
  const { version } = article;
  update(view.heading, { textContent: version.title });
  update(view.author, { textContent: article.author ? `by ${article.author}` : "" });
  showBadge(view.mark, article.change?.state);
  showTags(view.labels, version.tags);
  update(view.body, { textContent: version.body });
  update(view.edit, { disabled: Boolean(article.conflict) || !article.canEdit });
  update(view.reload, { disabled: article.isLoading });
  showComments(view.comments, article.comments);
}

function makeComments() {
  const parts = { heading: h("h3"), list: h("ul", { className: "comments" }), more: button("More comments", () => act("moreComments")), slot: h("div"), error: errorView(() => act("retry")) };
  parts.element = h("section", {}, parts.heading, parts.list, parts.slot, parts.more);
  return parts;
}

function showComments(parts, { items, isLoading, hasMore, error }) {
  const count = `${items.length}${hasMore ? " or more" : ""} ${items.length === 1 && !hasMore ? "comment" : "comments"}`;
  const isUnknown = items.length === 0 && (isLoading || error || hasMore);
  update(parts.heading, { textContent: isUnknown ? "Comments" : count });
  keyed(parts.list, items, comment => comment.id, () => h("li"), (item, comment) => update(item, { textContent: comment.text }));
  place(parts.slot, error ? parts.error.show(error) : isLoading ? h("p", { className: "soft", textContent: "Loading …" }) : null);
  update(parts.more, { hidden: !hasMore || isUnknown || isLoading || Boolean(error) });
}

/** A view of a change, made once for each of its states. */
function changeView(view, key, make) {
  if (view.changeKey !== key) [view.changeKey, view.changeView] = [key, make()];
  return view.changeView;
}

const decide = (action, change) => () => act(action, { change: change.id });

function removalView(view, change) {
  const made = changeView(view, `removal ${change.id}`, () => {
    const undo = button("Discard", decide("discard", change), { id: "keep" });
    return { undo, element: h("div", { className: "error", id: "removal", role: "status" }, h("span", { textContent: "This article is being deleted." }), undo) };
  });
  update(made.undo, { disabled: change.state === "sending" });
  return made.element;
}

function refusalView(view, change) {
  return changeView(view, `refusal ${change.id} ${change.error}`, () => h("div", { className: "error", id: "refused", role: "alert" },
    h("span", {}, h("b", { textContent: `“${change.title}” was refused. ` }), change.error),
    h("div", { className: "actions" },
      !change.isDeletion && button("Correct", () => act("edit"), { id: "correct" }),
      button("Try again", decide("resend", change), { id: "resend" }),
      button("Discard", decide("discard", change), { id: "discard" }))));
}

function conflictView(view, { mine, theirs }, change) {
  const version = (title, name, content, label, action) => h("div", { className: `version ${name}` },
    h("h4", { textContent: title }), h("b", { textContent: content.title }), taglist(content.tags),
    h("p", { className: "body", textContent: content.body }),
    button(label, decide(action, change), { id: `keep-${name}` }));
  return changeView(view, `conflict ${change.id} ${JSON.stringify([mine, theirs])}`, () => h("div", { className: "conflict", id: "conflict", role: "alert" },
    h("h3", { textContent: "Another user has changed this article" }),
    h("div", { className: "versions" },
      version("Your version", "mine", mine, "Keep mine", "resend"),
      version("The saved version", "theirs", theirs, "Take theirs", "discard")),
    h("div", { className: "actions" }, button("Merge both …", () => act("edit"), { id: "merge" }))));
}

function taglist(names) {
  const element = tags();
  showTags(element, names);
  return element;
}
