// The form of an article. The input stays as typed; the server has a copy of it.

import { act, attributes, button, errorView, h, place, update } from "./parts.js";

export function makeForm(editor) {
  const form = { number: editor.number, faults: {}, inputs: {}, slot: h("div"), error: errorView(), save: h("button", { className: "main", id: "save" }) };
  const field = (name, label, tag, value, required) => {
    const input = h(tag, { name, value, id: `editor-${name}`, ariaRequired: required ? "true" : null });
    const fault = h("small", { className: "bad", id: `fault-${name}`, role: "alert" });
    attributes(input, { "aria-describedby": fault.id });
    form.inputs[name] = input;
    form.faults[name] = fault;
    return h("label", {}, label, input, fault);
  };
  const labels = [
    field("title", "Title", "input", editor.title, true), field("body", "Text", "textarea", editor.body, true),
    field("tags", "Tags, with commas between them", "input", editor.tagLine, false),
  ];
  const { title, body, tags } = form.inputs;
  const theirs = [theirView(editor.theirs?.title, title, changed), theirView(editor.theirs?.body, body, changed), theirView(editor.theirs?.tags.join(", "), tags, changed)];
  const values = () => ({ form: { title: title.value, body: body.value, tagLine: tags.value, number: editor.number } });
  let isQueued = false;
  function changed() {
    if (isQueued) return;
    isQueued = true;
    act("input", () => {
      isQueued = false;
      return values();
    });
  }
  const submit = event => {
    event.preventDefault();
    act("save", values);
  };
  const heading = editor.theirs ? "Merge both versions" : editor.isNew ? "New article" : "Edit article";
  form.title = title;
  form.element = h("form", { id: "editor", onsubmit: submit, oninput: changed, noValidate: true },
    h("h2", { textContent: heading }), labels.flatMap((label, index) => [label, theirs[index]]), form.slot,
    h("div", { className: "actions" }, form.save, button("Cancel", () => act("cancel"), { id: "cancel" })));
  return form;
}

export function updateForm(form, editor) {
  for (const [name, faults] of Object.entries(editor.faults)) {
    const all = editor.missing.includes(name) ? ["is required", ...faults] : faults;
    update(form.faults[name], { textContent: all.join(", ") });
    attributes(form.inputs[name], { "aria-invalid": all.length ? "true" : null });
  }
  update(form.save, { disabled: editor.isSaving, textContent: editor.isSaving ? "Saving …" : "Save" });
  place(form.slot, editor.message ? form.error.show(editor.message) : null);
}

/** What the server has in a field, to take it instead. */
function theirView(text, input, changed) {
  if (text == null || text === input.value) return null;
  const take = () => {
    input.value = text;
    changed();
  };
  return h("div", { className: "their" }, h("span", { textContent: text }), button("Take theirs", take, { name: `their-${input.name}` }));
}
