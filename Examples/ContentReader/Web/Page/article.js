// The article, its form, and the choice between two versions.

import { act, badge, button, errorView, find, h, picture, tags } from "./parts.js";
import { pick } from "./list.js";

const detail = find("detail");
const shown = { article: null, editor: null };
let form = null;

export function showArticle(article) {
  shown.article = article;
  pick(article?.id);
  draw();
}

export function showEditor(editor) {
  shown.editor = editor;
  draw();
}

function draw() {
  const { article, editor } = shown;
  document.body.classList.toggle("reading", Boolean(article || editor));
  if (editor) return drawForm(editor);
  form = null;
  detail.replaceChildren(article ? articleView(article) : h("p", { className: "empty", textContent: "Select an article." }));
}

function articleView(article) {
  const { version, change } = article;
  const back = button("‹ Articles", () => act("close"), { id: "back" });
  const refusal = change?.state === "failed" && refusalView(change);
  if (!version) {
    const rest = article.error ? errorView(article.error, () => act("retry")) : h("p", { className: "empty", textContent: "Loading …" });
    return h("article", {}, back, refusal, rest);
  }
  return h("article", {}, back, refusal,
    article.conflict && conflictView(article.conflict, change),
    article.error && errorView(article.error, () => act("retry")),
    picture(article.id, { className: "picture" }),
    h("h2", { textContent: version.title }),
    h("p", { className: "soft" }, article.author ? `by ${article.author} ` : "", badge(change?.state)),
    tags(version.tags),
    h("p", { className: "body", textContent: version.body }),
    h("div", { className: "actions" },
      button("Edit", () => act("edit"), { id: "edit", disabled: Boolean(article.conflict) }),
      button("Reload", () => act("reload"), { disabled: article.isLoading }),
      button("Delete", () => act("remove"), { id: "remove", className: "danger" })),
    h("h3", { textContent: `${article.comments.length} comments` }),
    h("ul", { className: "comments" }, article.comments.map(comment => h("li", { textContent: comment.text }))));
}

const decide = (action, change) => () => act(action, { change: change.id });

function refusalView(change) {
  return h("div", { className: "error", id: "refused", role: "alert" },
    h("span", {}, h("b", { textContent: `“${change.title}” was refused. ` }), change.error),
    h("div", { className: "actions" },
      button("Correct", () => act("edit"), { id: "correct" }),
      button("Try again", decide("resend", change), { id: "resend" }),
      button("Discard", decide("discard", change), { id: "discard" })));
}

function conflictView({ mine, theirs }, change) {
  const version = (title, name, content, label, action) => h("div", { className: `version ${name}` },
    h("h4", { textContent: title }), h("b", { textContent: content.title }), tags(content.tags),
    h("p", { className: "body", textContent: content.body }),
    button(label, decide(action, change), { id: `keep-${name}` }));
  return h("div", { className: "conflict", id: "conflict", role: "alert" },
    h("h3", { textContent: "Somebody else has changed this article" }),
    h("div", { className: "versions" },
      version("Your version", "mine", mine, "Keep mine", "resend"),
      version("The saved version", "theirs", theirs, "Take theirs", "discard")),
    h("div", { className: "actions" }, button("Merge both …", () => act("edit"), { id: "merge" })));
}

function drawForm(editor) {
  // The input stays as typed; another form, or one that comes back, is filled in.
  if (form?.number !== editor.number) {
    form = makeForm(editor);
    detail.replaceChildren(form.element);
    form.title.focus();
  }
  for (const [name, faults] of Object.entries(editor.faults)) form.faults[name].textContent = faults.join(", ");
  form.save.disabled = editor.isSaving;
  form.save.textContent = editor.isSaving ? "Saving …" : "Save";
  form.message.replaceChildren(...(editor.message ? [errorView(editor.message)] : []));
}

function makeForm(editor) {
  const title = h("input", { name: "title", value: editor.title, required: true });
  const body = h("textarea", { name: "body", value: editor.body, required: true });
  const tagLine = h("input", { name: "tags", value: editor.tagLine });
  const fault = () => h("small", { className: "bad", role: "alert" });
  const faults = { title: fault(), body: fault(), tags: fault() };
  const save = h("button", { className: "main", id: "save" });
  const message = h("div");
  const submit = event => {
    event.preventDefault();
    act("save", { form: { title: title.value, body: body.value, tagLine: tagLine.value } });
  };
  const heading = editor.theirs ? "Merge both versions" : editor.isNew ? "New article" : "Edit article";
  const element = h("form", { id: "editor", onsubmit: submit },
    h("h2", { textContent: heading }),
    h("label", {}, "Title", title, faults.title), theirView(editor.theirs?.title, title),
    h("label", {}, "Text", body, faults.body), theirView(editor.theirs?.body, body),
    h("label", {}, "Tags, with commas between them", tagLine, faults.tags), theirView(editor.theirs?.tags.join(", "), tagLine),
    message,
    h("div", { className: "actions" }, save, button("Cancel", () => act("cancel"))));
  return { number: editor.number, element, title, faults, save, message };
}

/** What the server has in a field, to take it instead. */
function theirView(text, input) {
  if (text == null || text === input.value) return null;
  return h("div", { className: "their" }, h("span", { textContent: text }),
    button("Take theirs", () => { input.value = text; }, { name: `their-${input.name}` }));
}
