// Small parts that the other files are made of.

/** An element with properties and children. Text is never markup. */
export function h(tag, properties = {}, ...children) {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children.flat().filter(child => child != null && child !== false));
  return element;
}

export const find = id => document.getElementById(id);

export const button = (text, action, properties = {}) => h("button", { type: "button", textContent: text, onclick: action, ...properties });

/** Sets the properties that differ: an element that stays as it is keeps its focus and selection, and isn't read out again. */
export function update(element, properties) {
  for (const [name, value] of Object.entries(properties)) if (element[name] !== value) element[name] = value;
  return element;
}

/** Sets or removes attributes; null removes. */
export function attributes(element, values) {
  for (const [name, value] of Object.entries(values)) {
    if (value == null) element.removeAttribute(name);
    else if (element.getAttribute(name) !== String(value)) element.setAttribute(name, value);
  }
}

/** Makes an element the only child of its place, or empties the place. */
export function place(parent, element) {
  if (element ? parent.firstChild !== element || parent.childNodes.length !== 1 : parent.firstChild) parent.replaceChildren(...(element ? [element] : []));
}

/** Shows items as children: those with a known key stay in the document. */
export function keyed(parent, items, key, make, change = () => {}) {
  const former = new Map([...parent.children].map(child => [child.dataset.key, child]));
  items.forEach((item, index) => {
    const name = String(key(item));
    const child = former.get(name) ?? make(item);
    former.delete(name);
    child.dataset.key = name;
    change(child, item);
    if (parent.children[index] !== child) parent.insertBefore(child, parent.children[index] ?? null);
  });
  for (const child of former.values()) child.remove();
}

/** An error with a way to try again. Its text can change. */
export function errorView(retry) {
  const text = h("span");
  const element = h("div", { className: "error", role: "alert" }, text, retry && button("Try again", retry));
  return { element, show: message => { update(text, { textContent: message }); return element; } };
}

let queue = Promise.resolve();

/**
 * Asks the server to do something, one request after another. The state shows what comes of it.
 * Values may be a function: then they are those of the moment at which the request is sent.
 */
export function act(action, values = {}) {
  queue = queue.then(async () => {
    const body = JSON.stringify({ action, ...(typeof values === "function" ? values() : values) });
    await request("action", body);
  }).catch(error => showFailure(`That didn't reach the page's server: ${error.message}`));
  return queue;
}

/** Sends a request, and throws unless the server accepts it. */
export async function request(path, body) {
  const response = await fetch(path, { method: "POST", body });
  if (!response.ok) throw new Error(response.status === 413 ? "The file is too large." : `The server refused it (${response.status}).`);
  showFailure("");
}

/** Shows why a request failed, until one succeeds. */
export function showFailure(text) {
  update(find("failure"), { hidden: !text, textContent: text });
}

/** An article's picture; empty if it can't be loaded. */
export const picture = (id, properties) => h("img", { src: `picture/${id}`, alt: "", onerror: event => event.target.classList.add("missing"), ...properties });

/** Loads the pictures again that couldn't be loaded. */
export function reloadPictures() {
  for (const image of document.querySelectorAll("img.missing")) {
    image.classList.remove("missing");
    image.src = image.getAttribute("src");
  }
}

const changes = { waiting: "not sent yet", sending: "not sent yet", conflict: "two versions", failed: "refused" };

/** How far the change of an article is. */
export const badge = () => h("span", { className: "badge", hidden: true });
export const showBadge = (element, state) => update(element, { hidden: !state, className: `badge ${state ?? ""}`, textContent: changes[state] ?? "" });

export const tags = () => h("div", { className: "tags" });
export const showTags = (element, names) => keyed(element, names, name => name, name => h("span", { textContent: name }));
