// The list of calls: the filter and the rows that can be seen.

export const rowHeight = 26;
const phases = ["q", "dns", "tcp", "tls", "wait", "body"];

/** Makes an element. Text is always text: nothing that came over the network is parsed as HTML. */
export function h(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (key === "class") element.className = value;
    else if (value === true) element.setAttribute(key, "");
    else if (value !== false && value != null) element.setAttribute(key, value);
  }
  for (const child of children.flat()) if (child != null && child !== false) element.append(child);
  return element;
}

export function bytes(count) {
  if (count == null) return "";
  if (count < 1000) return `${count} B`;
  if (count < 1e6) return `${(count / 1e3).toFixed(count < 1e4 ? 1 : 0)} kB`;
  return `${(count / 1e6).toFixed(count < 1e7 ? 1 : 0)} MB`;
}

export function time(ms) {
  if (ms == null) return "";
  if (ms < 10) return `${ms.toFixed(1)} ms`;
  return ms < 10000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
}

/** Adds what the filter and the rows need of a call, once for each change. */
export function prepare(call) {
  const rest = call.url.indexOf("/", call.url.indexOf("//") + 2);
  const start = call.url.indexOf("//") + 2;
  call.host = rest < 0 ? call.url.slice(start) : call.url.slice(start, rest);
  call.path = rest < 0 ? "/" : call.url.slice(rest);
  call.text = `${call.method} ${call.url} ${call.type ?? ""} ${call.error ?? ""} ${call.p}`.toLowerCase();
  return call;
}

/** The class of a status' color. */
export function tone(call) {
  if (isFailure(call)) return "bad";
  if (call.status >= 300) return "warn";
  return call.status ? "good" : "soft";
}

export function statusText(call) {
  if (call.status) return String(call.status);
  if (call.error) return /cancelled/.test(call.error) ? "canceled" : "failed";
  return "…";
}

/** Turns the text of the filter box into a test of a call. Words are combined with "and"; a "-" before one negates it. */
export function parseFilter(text) {
  const tests = (text.toLowerCase().match(/-?[a-z]+:"[^"]*"|"[^"]*"|\S+/g) ?? []).map(word => {
    const negated = word.length > 1 && word.startsWith("-");
    const test = wordTest(negated ? word.slice(1) : word);
    return negated ? call => !test(call) : test;
  });
  return call => tests.every(test => test(call));
}

function wordTest(word) {
  const [, key, raw] = word.match(/^([a-z]+):(.*)$/) ?? [];
  const value = raw?.replaceAll('"', "");
  switch (key) {
    case "status": return statusTest(value);
    case "host": return call => call.host.toLowerCase().includes(value);
    case "path": return call => call.path.toLowerCase().includes(value);
    case "method": return call => call.method.toLowerCase() === value;
    case "type": return call => (call.type ?? "").toLowerCase().includes(value);
    case "program": return call => call.p.toLowerCase().includes(value);
    case "is": return call => value === "error" ? isFailure(call) : value === "running" ? call.duration == null
      : value === "replay" ? call.replayOf != null : call.source === value;
    case "slow": case "time": return comparison(value, call => call.duration ?? Date.now() - call.start);
    case "size": case "large": return comparison(value, call => call.size ?? 0);
    default: { const text = word.replaceAll('"', ""); return call => call.text.includes(text); }
  }
}

function isFailure(call) { return Boolean(call.error) || call.status >= 400; }

function statusTest(value) {
  if (/^[1-5]xx$/.test(value)) return call => Math.floor(call.status / 100) === Number(value[0]);
  if (value === "error" || value === "failed") return isFailure;
  const [, sign, number] = value.match(/^([<>]=?)?(\d+)$/) ?? [];
  if (sign) return compare(sign, Number(number), call => call.status);
  return call => String(call.status).startsWith(value);
}

function comparison(value, read) {
  const [, sign = ">", number, name = ""] = value.match(/^([<>]=?)?(\d+(?:\.\d+)?)(ms|s|kb|mb|b)?$/) ?? [];
  if (number == null) return () => true;
  const factor = name === "s" ? 1000 : name === "kb" ? 1e3 : name === "mb" ? 1e6 : 1;
  return compare(sign, Number(number) * factor, read);
}

function compare(sign, limit, read) {
  return call => sign === ">" ? read(call) > limit : sign === ">=" ? read(call) >= limit
    : sign === "<" ? read(call) < limit : read(call) <= limit;
}

/** The bar of one call, scaled to the longest that is shown. */
export function bars(call, longest) {
  const holder = h("span", { class: "bars" });
  const points = call.bars;
  const total = call.duration;
  if (points) {
    let from = 0;
    points.forEach((to, index) => {
      if (to <= from) return;
      holder.append(bar(phases[index], from, to, longest));
      from = to;
    });
    if (total > from) holder.append(bar(call.chunks || call.messages ? "body" : "q", from, total, longest));
  } else {
    holder.append(bar(total == null ? "running" : "q", 0, total ?? longest, longest));
  }
  return holder;
}

export function bar(name, from, to, longest) {
  const element = h("i", { class: name });
  element.style.left = `${Math.min(100, 100 * from / longest)}%`;
  element.style.width = `${Math.max(0, Math.min(100, 100 * (to - from) / longest))}%`;
  return element;
}

/** Draws only the rows that can be seen. */
export class List {
  constructor(scroll, space, open) {
    Object.assign(this, { scroll, space, open, shown: [], picked: null, marked: null });
    scroll.addEventListener("scroll", () => this.draw(), { passive: true });
    new ResizeObserver(() => this.draw()).observe(scroll);
    space.addEventListener("click", event => {
      const row = event.target.closest(".row");
      if (row) this.open(Number(row.dataset.n));
    });
  }

  show(calls) {
    this.shown = calls;
    this.space.style.height = `${calls.length * rowHeight}px`;
    this.draw(true);
  }

  get isAtEnd() { return this.scroll.scrollTop + this.scroll.clientHeight >= this.scroll.scrollHeight - rowHeight; }

  scrollToEnd() { this.scroll.scrollTop = this.scroll.scrollHeight; }

  indexOfPicked() { return this.shown.findIndex(call => call.n === this.picked); }

  /** Moves the selection, and scrolls to it. Returns the call. */
  move(step) {
    const index = this.indexOfPicked();
    const next = index < 0 ? (step > 0 ? 0 : this.shown.length - 1) : Math.max(0, Math.min(this.shown.length - 1, index + step));
    const call = this.shown[next];
    if (!call) return null;
    this.picked = call.n;
    const top = next * rowHeight, view = this.scroll;
    if (top < view.scrollTop) view.scrollTop = top;
    if (top + rowHeight > view.scrollTop + view.clientHeight) view.scrollTop = top + rowHeight - view.clientHeight;
    this.draw(true);
    return call;
  }

  draw(all = false) {
    const first = Math.max(0, Math.floor(this.scroll.scrollTop / rowHeight) - 8);
    const last = Math.min(this.shown.length, Math.ceil((this.scroll.scrollTop + this.scroll.clientHeight) / rowHeight) + 8);
    if (!all && this.first === first && this.last === last) return;
    [this.first, this.last] = [first, last];
    const visible = this.shown.slice(first, last);
    const longest = Math.max(1, ...visible.map(call => call.duration ?? 0));
    this.space.replaceChildren(...visible.map((call, index) => this.row(call, first + index, longest)));
  }

  row(call, index, longest) {
    const badges = [call.source, call.sent > 1 ? `${call.sent} requests` : null, call.replayOf ? "replay" : null,
      call.messages ? `${call.messages} messages` : null, call.d ? `${call.d} events dropped` : null].filter(Boolean);
    const state = `row${call.n === this.picked ? " picked" : ""}${call.n === this.marked ? " marked" : ""}`;
    const row = h("div", { class: state, "data-n": call.n, role: "option", "aria-selected": call.n === this.picked },
      h("span", { class: "method" }, call.method), h("span", { class: tone(call) }, statusText(call)),
      h("span", { class: "soft", title: call.host }, call.host),
      h("span", { title: call.error ? `${call.path}\n${call.error}` : call.path }, call.path,
        badges.map(text => h("span", { class: "badge" }, text))),
      h("span", { class: "soft" }, call.type ?? ""), h("span", { class: "number" }, bytes(call.size)),
      h("span", { class: "number" }, call.duration == null ? "…" : time(call.duration)), bars(call, longest));
    row.style.top = `${index * rowHeight}px`;
    return row;
  }
}
