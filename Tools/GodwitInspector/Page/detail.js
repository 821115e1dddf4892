// One call: what was sent, what came back, and when.

import { bar, bytes, h, prepare, statusText, time, tone } from "./list.js";
import { bodyView, redacted } from "./bodies.js";
import { curl, har, swift } from "./export.js";

const phases = [["dns", "DNS"], ["tcp", "TCP"], ["tls", "TLS"], ["wait", "wait"], ["body", "body"]];

function connection({ reused, localPort, openConnections }) {
  const kind = reused ? "reused connection" : "new connection";
  return kind + (localPort ? ` from port ${localPort}` : "") + (openConnections > 1 ? `, one of ${openConnections}` : "");
}

/** Joins the events of a call: its requests with their responses and streams. */
export function assemble({ summary, events }) {
  const call = { summary: prepare(summary), exchanges: [], messages: [], failures: [], revealed: new Map(), finished: null, started: null };
  const byNumber = new Map();
  for (const event of events) {
    if (event.started) call.started = event.started;
    if (event.sent) {
      const exchange = { number: event.sent.exchange, sentAt: event.time, request: event.sent, chunks: [] };
      byNumber.set(exchange.number, exchange);
      call.exchanges.push(exchange);
    }
    const of = part => byNumber.get(part.exchange) ?? {};
    if (event.answered) Object.assign(of(event.answered), { response: event.answered, answeredAt: event.time });
    if (event.chunk) of(event.chunk).chunks?.push({ ...event.chunk, time: event.time });
    if (event.ended) Object.assign(of(event.ended), { ended: event.ended, endedAt: event.time });
    if (event.message) call.messages.push({ ...event.message, time: event.time });
    if (event.finished) call.finished = { ...event.finished, time: event.time };
    if (event.failed?.exchange != null) of(event.failed).failed = { ...event.failed, time: event.time };
    else if (event.failed) call.failures.push(event.failed);
    if (event.revealed) call.revealed.set(`${event.revealed.exchange} ${event.revealed.part}`, event.revealed.values);
  }
  return call;
}

/** The body of a response: as a whole, or its chunks so far. */
export function responseBody(exchange) {
  if (exchange.response?.body) return exchange.response.body;
  if (!exchange.chunks.length) return null;
  const size = exchange.chunks.reduce((sum, chunk) => sum + chunk.size, 0);
  if (exchange.chunks.some(chunk => chunk.base64 != null)) {
    const text = exchange.chunks.map(chunk => chunk.base64 ? atob(chunk.base64) : chunk.text ?? "").join("");
    return { size, base64: btoa(text.replace(/[^\0-\xff]/g, "?")) };
  }
  return { size, text: exchange.chunks.map(chunk => chunk.text ?? "").join("") };
}

export const field = (fields, name) => fields?.find(([key]) => key.toLowerCase() === name)?.[1];

export class Detail {
  constructor(element, actions) {
    Object.assign(this, { element, actions, n: null, revision: null, views: new Map(), folded: new Map() });
  }

  async load(n) {
    const response = await fetch(`call/${n}`);
    return response.ok ? assemble(await response.json()) : null;
  }

  async show(call) {
    const isOther = this.n !== call.n;
    [this.n, this.revision] = [call.n, call.r];
    const loaded = await this.load(call.n);
    if (!loaded || this.n !== call.n) return;
    if (isOther) { this.views.clear(); this.folded.clear(); this.element.scrollTop = 0; }
    this.call = loaded;
    this.revision = loaded.summary.r;
    this.draw();
  }

  /** Shows a call that changed. Changes that come meanwhile are shown together. */
  async refresh(call) {
    if (this.isLoading) return;
    this.isLoading = true;
    try { await this.show(call); } finally { this.isLoading = false; }
  }

  clear() { [this.n, this.revision, this.call] = [null, null, null]; this.element.replaceChildren(); }

  replace(view) { this.element.replaceChildren(...view); }

  draw() {
    const top = this.element.scrollTop;
    this.replace(this.view(this.call));
    this.element.scrollTop = top;
  }

  view(call) {
    return [this.head(call), this.problem(call), this.timeline(call),
      ...call.exchanges.map((exchange, index) => this.exchange(call, exchange, index)),
      call.exchanges.length ? null : this.answer(call), this.messages(call)].filter(Boolean);
  }

  head(call) {
    const { summary } = call;
    const last = call.exchanges.at(-1);
    const act = this.actions;
    const copy = (name, make) => h("button", { onclick: () => this.copy(name, make) }, name);
    const facts = [summary.p, `call ${summary.c}`, new Date(summary.start).toLocaleTimeString(), time(summary.duration) || "running",
      summary.type, bytes(summary.size), last?.response?.metrics.version, last?.response?.metrics.address,
      last?.response ? connection(last.response.metrics) : null,
      summary.source === "server" ? "received by a mock server" : summary.source === "cache" ? "from the cache" : summary.source === "shared" ? "shared the response of an identical call" : null,
      summary.replayOf ? `replay of call ${summary.replayOf}` : null];
    return h("div", { class: "top" },
      h("div", { class: "title" }, h("b", {}, summary.method), h("b", { class: tone(summary) }, statusText(summary)),
        h("span", { class: "url" }, summary.url), h("button", { onclick: act.close, title: "Esc" }, "✕")),
      h("p", { class: "facts" }, facts.filter(Boolean).join(" · ")),
      h("div", { class: "tools" },
        copy("Copy as curl", () => curl(call)), copy("as Swift", () => swift(call)), copy("as HAR", () => har([call])),
        summary.source === "server" ? null : h("button", { onclick: () => act.replay(summary), title: "r" }, "Replay"),
        h("button", { onclick: () => act.mark(summary), title: "m" }, "Mark"),
        h("button", { onclick: () => act.compare(summary), title: "c" }, "Compare")));
  }

  async copy(name, make) {
    try {
      await navigator.clipboard.writeText(make());
      this.actions.toast(`${name}: in the clipboard, without hidden values`);
    } catch { this.actions.toast("The browser does not allow copying."); }
  }

  problem(call) {
    const failure = call.failures[0] ?? call.exchanges.at(-1)?.failed;
    const ended = call.exchanges.at(-1)?.ended?.error;
    if (!failure && !ended) return null;
    if (!failure) return h("div", { class: "problem" }, h("p", {}, h("b", {}, ended)));
    return h("div", { class: "problem" }, h("p", {}, h("b", {}, failure.error)),
      failure.userMessage ? h("p", {}, `To people: “${failure.userMessage}”`) : null,
      h("p", { class: "soft" }, `${failure.kind}, while ${failure.phase}; ${failure.isRetryable ? "the same request may succeed later" : "the same request will fail again"}`));
  }

  /** One line per request, from the start of the call. */
  timeline(call) {
    if (!call.exchanges.length) return null;
    const start = call.summary.start;
    const end = exchange => (exchange.endedAt ?? exchange.answeredAt ?? exchange.failed?.time ?? Date.now()) - start;
    const longest = Math.max(0.1, call.summary.duration ?? 0, ...call.exchanges.map(end));
    const rows = call.exchanges.flatMap((exchange, index) => {
      const from = Math.max(0, exchange.sentAt - start);
      const holder = h("span", { class: "bars" });
      const metrics = exchange.ended?.metrics ?? exchange.response?.metrics;
      if (metrics?.firstByte != null) {
        const tcp = metrics.connect ?? metrics.dns ?? 0;
        const points = [metrics.dns ?? 0, tcp, metrics.tls ?? tcp, metrics.firstByte, metrics.total ?? metrics.firstByte];
        let last = 0;
        points.forEach((to, phase) => {
          if (to > last) holder.append(bar(phases[phase][0], from + last, from + to, longest));
          last = Math.max(last, to);
        });
        if (end(exchange) > from + last && exchange.chunks.length) holder.append(bar("body", from + last, end(exchange), longest));
      } else holder.append(bar(exchange.failed || exchange.response ? "q" : "running", from, end(exchange), longest));
      return [h("span", {}, this.name(call, exchange, index)), holder, h("span", { class: "number" }, time(end(exchange) - from))];
    });
    const legend = h("div", { class: "legend" }, phases.map(([name, text]) => h("span", {}, h("i", { class: name }), text)));
    return h("div", {}, h("div", { class: "timeline" }, rows), legend);
  }

  /** What kind of request it was, as far as the earlier ones tell. */
  name(call, exchange, index) {
    const before = call.exchanges[index - 1];
    const status = before?.response?.status;
    const kind = !before ? "request" : status >= 300 && status < 400 && status !== 304 ? "redirect" : status === 401 ? "after 401, refreshed"
      : call.summary.source === "cache" ? "validation" : "retry";
    return `${index + 1}. ${kind} ${exchange.response?.status ?? (exchange.failed ? "failed" : "…")}`;
  }

  exchange(call, exchange, index) {
    const isLast = index === call.exchanges.length - 1;
    const body = responseBody(exchange);
    const response = exchange.response;
    return this.fold(`exchange ${index}`, isLast,
      call.exchanges.length > 1 ? this.name(call, exchange, index) : "Request and response",
      this.link(call, exchange),
      this.fields(call, exchange, "Request fields", "request", exchange.request.fields),
      exchange.request.body ? this.body(call, exchange, "Request body", "requestBody", exchange.request.body, field(exchange.request.fields, "content-type")) : null,
      response ? this.fields(call, exchange, `Response fields (${response.status})`, "response", response.fields) : null,
      exchange.failed ? h("div", { class: "problem" }, exchange.failed.error) : null,
      body ? this.body(call, exchange, exchange.response?.body || exchange.ended ? "Response body" : "Response body, as it comes", "responseBody", body, field(response?.fields, "content-type")) : null);
  }

  link(call, exchange) {
    const values = call.revealed.get(`${exchange.number} url`);
    const url = values?.[0] ?? exchange.request.url;
    return h("div", { class: "part" }, h("b", {}, exchange.request.method), h("code", { class: "url" }, url), this.key(call, exchange, "url", url));
  }

  fields(call, exchange, title, side, fields) {
    const seen = new Map();
    const rows = fields.map(([name, value]) => {
      const part = `${side}:${name}`;
      const place = seen.get(name) ?? 0;
      seen.set(name, place + 1);
      const shown = call.revealed.get(`${exchange.number} ${part}`)?.[place] ?? value;
      return h("tr", {}, h("td", {}, name), h("td", {}, h("span", { class: shown === redacted ? "hidden-value" : "" }, shown), this.key(call, exchange, part, shown)));
    });
    return h("div", {}, h("div", { class: "part" }, h("b", {}, title)), h("table", {}, rows));
  }

  /** A button that asks the program for one hidden value. */
  key(call, exchange, part, value) {
    if (!value?.includes(redacted)) return null;
    if (call.revealed.get(`${exchange.number} ${part}`)?.length === 0) return h("span", { class: "soft" }, " not kept");
    return h("button", { class: "link", onclick: () => this.actions.reveal(call.summary, exchange.number, part) }, "reveal");
  }

  body(call, exchange, title, part, body, type) {
    const id = `${exchange.number} ${part}`;
    const revealed = call.revealed.get(id)?.[0];
    const shown = revealed == null ? body : { ...body, text: revealed };
    const view = this.views.get(id) ?? "pretty";
    const choose = name => h("button", { class: name === view ? "on" : "", onclick: () => { this.views.set(id, name); this.draw(); } }, name);
    return h("div", {}, h("div", { class: "part" }, h("b", {}, title), [type, bytes(body.size)].filter(Boolean).join(", "),
      choose("pretty"), choose("raw"), choose("hex"), this.key(call, exchange, part, shown.text)), bodyView(shown, type, view));
  }

  /** The response of a call that sent no request. */
  answer(call) {
    const { finished, started } = call;
    if (!started) return null;
    return this.fold("answer", true, finished ? "Response without a request" : "Waiting",
      h("div", { class: "part" }, h("b", {}, "Request fields")), plain(started.fields),
      finished ? [h("div", { class: "part" }, h("b", {}, `Response fields (${finished.status})`)), plain(finished.fields)] : null,
      finished?.body ? bodyView(finished.body, field(finished.fields, "content-type")) : null);
  }

  messages(call) {
    if (!call.messages.length) return null;
    const rows = call.messages.slice(-1000).map(message => h("div", { class: "message" },
      h("span", { class: message.isSent ? "warn" : "good", title: message.isSent ? "sent" : "received" }, message.isSent ? "↑" : "↓"),
      h("span", { class: "soft" }, `+${time(message.time - call.summary.start)}`),
      h("span", {}, message.text ?? `${message.base64?.slice(0, 200) ?? ""} (binary)`), h("span", { class: "soft" }, bytes(message.size))));
    return this.fold("messages", true, `Messages (${call.messages.length})`, rows);
  }

  fold(id, isOpen, title, ...children) {
    const element = h("details", { open: this.folded.get(id) ?? isOpen }, h("summary", {}, title), h("div", {}, children.flat()));
    element.addEventListener("toggle", () => this.folded.set(id, element.open));
    return element;
  }
}

const plain = fields => h("table", {}, fields.map(([name, value]) => h("tr", {}, h("td", {}, name), h("td", {}, value))));
