// Shows bodies: JSON as a tree, images, forms, text, bytes, and events one by one.

import { bytes, h } from "./list.js";

export const redacted = "<redacted>";

/** A part of a body: `text` or `base64`, with its media type. */
export function bodyView(body, type, view = "pretty") {
  if (!body || (body.text == null && body.base64 == null)) {
    return h("p", { class: "soft" }, body?.size == null ? "A stream; its bytes are not shown." : `${bytes(body.size)}, not shown.`);
  }
  const note = body.isTruncated ? h("p", { class: "soft" }, `The start of ${bytes(body.size)}.`) : null;
  return h("div", {}, shown(body, (type ?? "").toLowerCase(), view), note);
}

function shown(body, type, view) {
  if (view === "hex") return h("pre", {}, hex(bytesOf(body)));
  if (body.base64 != null) {
    if (/^image\/(png|jpeg|gif|webp|avif|bmp)/.test(type) && !body.isTruncated) {
      return h("img", { class: "shown", alt: "The response", src: `data:${type.split(";")[0]};base64,${body.base64}` });
    }
    return h("pre", {}, hex(bytesOf(body)));
  }
  if (view === "raw") return h("pre", {}, body.text);
  if (/event-stream/.test(type)) return eventsView(body.text);
  if (/ndjson|jsonlines|json-seq/.test(type)) return linesView(body.text);
  if (/x-www-form-urlencoded/.test(type)) return formView(body.text);
  if (/svg/.test(type)) return h("pre", {}, body.text);
  const value = parsed(body.text);
  return value === undefined ? h("pre", {}, body.text) : h("div", { class: "tree" }, tree(value, null, 0));
}

function parsed(text) {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try { return JSON.parse(text); } catch { return undefined; }
}

/** One value of a tree. Children are made when their parent is opened. */
function tree(value, name, depth) {
  const label = name == null ? [] : [h("span", { class: "key" }, name), ": "];
  if (value === null || typeof value !== "object") return h("div", { class: "leaf" }, label, leaf(value));
  const entries = Object.entries(value);
  const [opening, closing] = Array.isArray(value) ? ["[", "]"] : ["{", "}"];
  if (!entries.length) return h("div", { class: "leaf" }, label, opening + closing);
  const children = h("div");
  const summary = h("summary", {}, label, `${opening} `,
    h("span", { class: "soft" }, Array.isArray(value) ? `${entries.length} elements` : preview(entries)), ` ${closing}`);
  const node = h("details", {}, summary, children);
  const fill = () => {
    if (!node.open || children.childNodes.length) return;
    more(children, entries, 0, depth);
  };
  node.addEventListener("toggle", fill);
  if (depth < 2 && entries.length <= 50) { node.open = true; fill(); }
  return node;
}

function more(parent, entries, start, depth) {
  for (const [key, item] of entries.slice(start, start + 200)) parent.append(tree(item, key, depth + 1));
  const left = entries.length - start - 200;
  if (left > 0) {
    const button = h("button", { onclick: () => { button.remove(); more(parent, entries, start + 200, depth); } }, `${left} more`);
    parent.append(button);
  }
}

function preview(entries) {
  const names = entries.slice(0, 4).map(([key]) => key).join(", ");
  return entries.length > 4 ? `${names}, …` : names;
}

function leaf(value) {
  if (value === redacted) return h("span", { class: "hidden-value" }, value);
  if (typeof value === "string") return h("span", { class: "string" }, JSON.stringify(value));
  return h("span", { class: typeof value === "number" ? "num" : "word" }, String(value));
}

function formView(text) {
  const rows = text.split("&").filter(Boolean).map(item => {
    const [name, value = ""] = item.split("=", 2).map(part => {
      try { return decodeURIComponent(part.replaceAll("+", " ")); } catch { return part; }
    });
    return h("tr", {}, h("td", {}, name), h("td", { class: value === redacted ? "hidden-value" : "" }, value));
  });
  return h("table", {}, rows);
}

function linesView(text) {
  const rows = text.split("\n").filter(line => line.trim()).map(line => {
    const value = parsed(line);
    return value === undefined ? h("pre", {}, line) : tree(value, null, 2);
  });
  return h("div", { class: "tree" }, rows.slice(-1000));
}

/** The events of a stream (the format of server-sent events), the latest thousand. */
export function eventsView(text) {
  const rows = [];
  for (const block of text.split(/\r?\n\r?\n/)) {
    const event = { type: "message", data: [], id: "" };
    for (const line of block.split(/\r?\n/)) {
      const [, name, value] = line.match(/^([^:]+): ?(.*)$/) ?? [];
      if (name === "data") event.data.push(value);
      else if (name === "event") event.type = value;
      else if (name === "id") event.id = value;
    }
    if (event.data.length) rows.push(event);
  }
  return h("div", {}, rows.slice(-1000).map(event => h("div", { class: "message" },
    h("span", { class: "good" }, "↓"), h("span", { class: "soft" }, event.type),
    h("span", {}, event.data.join("\n")), h("span", { class: "soft" }, event.id))));
}

export function bytesOf(body) {
  if (body.text != null) return new TextEncoder().encode(body.text);
  const text = atob(body.base64);
  return Uint8Array.from(text, character => character.charCodeAt(0));
}

function hex(data) {
  const lines = [];
  const end = Math.min(data.length, 16384);
  for (let start = 0; start < end; start += 16) {
    const row = [...data.slice(start, Math.min(end, start + 16))];
    const digits = row.map(byte => byte.toString(16).padStart(2, "0")).join(" ").padEnd(48);
    const text = row.map(byte => byte >= 32 && byte < 127 ? String.fromCharCode(byte) : ".").join("");
    lines.push(`${start.toString(16).padStart(6, "0")}  ${digits} ${text}`);
  }
  if (data.length > end) lines.push(`… ${data.length - end} more bytes`);
  return lines.join("\n");
}
