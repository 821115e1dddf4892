// The values of query stores: what screens share, and whether it is fresh.

import { h } from "./list.js";

export class Values {
  constructor(element) {
    this.element = element;
    this.stores = new Map();
  }

  /** The number of values of all stores. */
  get count() {
    let count = 0;
    for (const store of this.stores.values()) count += store.content.values.length + store.content.omitted;
    return count;
  }

  take(stores) {
    for (const store of stores) {
      const id = `${store.p} ${store.content.store}`;
      if (store.content.values.length) this.stores.set(id, store);
      else this.stores.delete(id);
    }
    if (stores.length) this.draw();
  }

  draw() {
    if (this.element.hidden) return;
    const parts = [...this.stores.values()].sort((a, b) => a.p.localeCompare(b.p) || a.content.store - b.content.store);
    const hint = h("p", { class: "hint" }, "No values.\n\nA QueryStore whose client has an inspector is shown here.");
    this.element.replaceChildren(...(parts.length ? parts.map(table) : [hint]));
  }
}

function table(store) {
  const { values, omitted } = store.content;
  const title = `${store.p}: store ${store.content.store}, ${values.length + omitted} values`;
  return h("table", {},
    h("caption", {}, omitted ? `${title}, ${omitted} not shown` : title),
    h("thead", {}, h("tr", {}, ["State", "Value", "Type", "Elements", "Loaders", "Requested"].map(name => h("th", {}, name)))),
    h("tbody", {}, values.map(row)));
}

function row(value) {
  return h("tr", {},
    h("td", {}, state(value)),
    h("td", { class: "url" }, `${value.method} ${value.url}`),
    h("td", {}, value.type),
    h("td", { class: "number" }, value.count ?? ""),
    h("td", { class: "number" }, value.loaders || "–"),
    h("td", { class: "number" }, value.date ? new Date(value.date).toLocaleTimeString() : ""));
}

function state(value) {
  const tone = value.state.startsWith("failed") ? "bad" : value.state === "loading" ? "warn" : value.state === "idle" ? "soft" : "good";
  return [
    h("span", { class: tone }, value.state),
    value.isStale && h("span", { class: "tag warn" }, "stale"),
    value.isEdited && h("span", { class: "tag" }, "edited"),
  ];
}
