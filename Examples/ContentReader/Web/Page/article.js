// The article, its form, and the choice between two versions.

import { act, button, errorView, find, h, tags } from "./parts.js";
import { pick } from "./list.js";

const detail = find("detail");
const shown = { article: null, editor: null };
let form = null;

export function showArticle(article) {
  if (article?.isRemoved) { act("close"); article = null; }
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
  // Two versions of an article come before its form.
  if (editor && !(editor.hasConflict && article?.conflict)) return drawForm(editor);
  form = null;
  detail.replaceChildren(article ? articleView(article) : h("p", { className: "empty", textContent: "Select an article." }));
}

function articleView(article) {
  const version = article.version;
  const back = button("‹ Articles", () => act("close"), { id: "back" });
  if (!version) {
    const rest = article.error ? errorView(article.error, () => act("retry")) : h("p", { className: "empty", textContent: "Loading …" });
    return h("article", {}, back, rest);
  }
  return h("article", {}, back,
    article.conflict && conflictView(article.conflict),
    article.error && errorView(article.error, () => act("retry")),
    article.removalError && errorView(article.removalError, () => act("remove")),
    h("img", { className: "picture", src: `picture/${article.id}`, alt: "" }),
    h("h2", { textContent: version.title }),
    h("p", { className: "soft" }, `by ${article.author} `,
      article.isWaiting && h("span", { className: "badge", textContent: "not sent yet" })),
    tags(version.tags),
    h("p", { className: "body", textContent: version.body }),
    h("div", { className: "actions" },
      button("Edit", () => act("edit"), { id: "edit", disabled: Boolean(article.conflict) }),
      button("Reload", () => act("reload"), { disabled: article.isLoading }),
      button(article.isRemoving ? "Deleting …" : "Delete", () => act("remove"), { id: "remove", className: "danger", disabled: article.isRemoving })),
    h("h3", { textContent: `${article.comments.length} comments` }),
    h("ul", { className: "comments" }, article.comments.map(comment => h("li", { textContent: comment.text }))));
}

function conflictView(conflict) {
  const version = (title, name, content, label) => h("div", { className: `version ${name}` },
    h("h4", { textContent: title }), h("b", { textContent: content.title }), tags(content.tags),
    h("p", { className: "body", textContent: content.body }),
    button(label, () => act("resolve", { choice: name }), { id: `keep-${name}` }));
  return h("div", { className: "conflict", id: "conflict", role: "alert" },
    h("h3", { textContent: "Somebody else has changed this article" }),
    h("div", { className: "versions" },
      version("Your version", "mine", conflict.mine, "Keep mine"),
      version("The saved version", "theirs", conflict.theirs, "Take theirs")));
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
  const element = h("form", { id: "editor", onsubmit: submit },
    h("h2", { textContent: editor.isNew ? "New article" : "Edit article" }),
    h("label", {}, "Title", title, faults.title),
    h("label", {}, "Text", body, faults.body),
    h("label", {}, "Tags, with commas between them", tagLine, faults.tags),
    message,
    h("div", { className: "actions" }, save, button("Cancel", () => act("discard"))));
  return { number: editor.number, element, title, faults, save, message };
}
