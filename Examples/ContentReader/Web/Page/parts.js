// Small parts that the other files are made of.

/** An element with properties and children. Text is never markup. */
export function h(tag, properties = {}, ...children) {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children.flat().filter(child => child != null && child !== false));
  return element;
}

export const find = id => document.getElementById(id);

export const button = (text, action, properties = {}) => h("button", { type: "button", textContent: text, onclick: action, ...properties });

/** An error with a way to try again. */
export const errorView = (text, retry) => h("div", { className: "error", role: "alert" },
  h("span", { textContent: text }), retry && button("Try again", retry));

/** Asks the server to do something. The state shows what comes of it. */
export async function act(action, values = {}) {
  const response = await fetch("action", { method: "POST", body: JSON.stringify({ action, ...values }) });
  if (!response.ok) throw new Error(`The server refused ${action}: ${response.status}`);
}

/** An article's picture; empty if it can't be loaded. */
export const picture = (id, properties) => h("img", { src: `picture/${id}`, alt: "", onerror: event => event.target.classList.add("missing"), ...properties });

const changes = { waiting: "not sent yet", sending: "not sent yet", conflict: "two versions", failed: "refused" };

/** How far the change of an article is. */
export const badge = state => state && h("span", { className: `badge ${state}`, textContent: changes[state] });

export const tags = names => h("div", { className: "tags" }, names.map(name => h("span", { textContent: name })));
