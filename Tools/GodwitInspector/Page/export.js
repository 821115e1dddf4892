// A call as curl, Swift and HAR, and two calls side by side. Hidden values stay hidden.

import { h, time } from "./list.js";
import { field, responseBody } from "./detail.js";

const added = ["host", "content-length", "accept-encoding", "connection", "user-agent", "x-request-id"];

// What a terminal or an editor acts on or hides: control characters, and those that change the direction of text.
const unseen = /[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g;
const short = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };
const code = (character, digits) => character.charCodeAt(0).toString(16).padStart(digits, "0");

/** One word of a shell. With characters that a terminal would act on during a paste, in the form $'…'. */
function quote(text) {
  if (text.search(unseen) < 0) return `'${text.replaceAll("'", "'\\''")}'`;
  const escaped = text.replaceAll("\\", "\\\\").replace(unseen, c => short[c] ?? `\\u${code(c, 4)}`);
  // An exclamation mark after an escaped quote could recall a command.
  return `$'${escaped.replaceAll("'", "\\'").replaceAll("!", "\\u0021")}'`;
}

/** A string literal of Swift. */
const literal = text => `"${text.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replace(unseen, c => short[c] ?? `\\u{${code(c, 1)}}`)}"`;

/** A raw string literal with enough signs that nothing in the text ends it or begins an interpolation. */
function raw(text) {
  if (text.search(unseen) >= 0) return literal(text);
  const longest = Math.max(0, ...[...text.matchAll(/["\\](#+)/g)].map(match => match[1].length));
  const signs = "#".repeat(longest + 1);
  return `${signs}"${text}"${signs}`;
}

const requestOf = call => call.exchanges[0]?.request ?? call.started;
// Other names would be options of curl: -H @file reads a file.
const isToken = name => /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name);
const ownFields = request => request.fields.filter(([name]) => isToken(name) && !added.includes(name.toLowerCase()));

export function curl(call) {
  const request = requestOf(call);
  // -g: brackets and braces in the URL are meant literally.
  const parts = [`curl ${/[[\]{}]/.test(request.url) ? "-g " : ""}${quote(request.url)}`];
  if (request.method !== (request.body ? "POST" : "GET")) parts.push(request.method === "HEAD" ? "-I" : `-X ${quote(request.method)}`);
  for (const [name, value] of ownFields(request)) parts.push(`-H ${quote(value ? `${name}: ${value}` : `${name};`)}`);
  if (request.body?.text != null) parts.push(`--data-raw ${quote(request.body.text)}`);
  else if (request.body) parts.push("--data-binary @body");
  return parts.join(" \\\n  ");
}

export function swift(call) {
  const request = requestOf(call);
  const url = new URL(request.url);
  const query = [...url.searchParams].map(([name, value]) => `${literal(name)}: ${literal(value)}`).join(", ");
  const isJSON = /json/.test(field(request.fields, "content-type") ?? "");
  const known = ["get", "post", "put", "patch", "delete"];
  const method = request.method.toLowerCase();
  const options = [literal(decoded(url.pathname.slice(1)))];
  if (query) options.push(`query: [${query}]`);
  if (request.body?.text != null) options.push(isJSON ? `body: .text(${raw(request.body.text)}, type: .json)` : `body: .text(${raw(request.body.text)})`);
  const lines = [`let api = APIClient(baseURL: ${literal(url.origin)})`,
    `let endpoint = Endpoint<Data>.${known.includes(method) ? `${method}(` : `custom(${literal(request.method)}, `}${options.join(", ")})`];
  for (const [name, value] of ownFields(request)) {
    if (["accept", "content-type"].includes(name.toLowerCase()) && isJSON) continue;
    lines.push(`    .header(${literal(name)}, ${literal(value)})`);
  }
  lines.push("let data = try await api.send(endpoint)");
  return lines.join("\n");
}

function decoded(path) {
  try { return decodeURIComponent(path); } catch { return path; }
}

export function har(calls) {
  const entries = calls.flatMap(call => call.exchanges.map(exchange => entry(exchange)));
  return JSON.stringify({ log: { version: "1.2", creator: { name: "Godwit inspector", version: "0.1.0" }, entries } }, null, 2);
}

function entry(exchange) {
  const { request, response } = exchange;
  const metrics = exchange.ended?.metrics ?? response?.metrics ?? {};
  const pairs = fields => (fields ?? []).map(([name, value]) => ({ name, value }));
  const body = responseBody(exchange);
  const wait = metrics.firstByte ?? 0, total = metrics.total ?? wait;
  const query = [...new URL(request.url).searchParams].map(([name, value]) => ({ name, value }));
  return {
    startedDateTime: new Date(exchange.sentAt).toISOString(), time: total, cache: {},
    request: { method: request.method, url: request.url, httpVersion: metrics.version ?? "", cookies: [], headers: pairs(request.fields),
      queryString: query, headersSize: -1, bodySize: request.body?.size ?? 0,
      ...(request.body ? { postData: { mimeType: field(request.fields, "content-type") ?? "", params: [], text: request.body.text ?? "" } } : {}) },
    response: { status: response?.status ?? 0, statusText: "", httpVersion: metrics.version ?? "", cookies: [], headers: pairs(response?.fields),
      redirectURL: field(response?.fields, "location") ?? "", headersSize: -1, bodySize: metrics.bytesReceived ?? -1,
      content: { size: body?.size ?? 0, mimeType: field(response?.fields, "content-type") ?? "",
        ...(body?.text != null ? { text: body.text } : body?.base64 != null ? { text: body.base64, encoding: "base64" } : {}) } },
    timings: { blocked: -1, dns: -1, connect: -1, ssl: -1, send: 0, wait, receive: Math.max(0, total - wait) },
  };
}

/** Two calls side by side: what differs is marked. */
export function compareView(a, b, back) {
  const last = call => call.exchanges.at(-1) ?? {};
  const rows = [["call", `${a.summary.p} ${a.summary.c}`, `${b.summary.p} ${b.summary.c}`], ["method", a.summary.method, b.summary.method],
    ["url", a.summary.url, b.summary.url], ["status", a.summary.status, b.summary.status],
    ["time", time(a.summary.duration), time(b.summary.duration)], ["requests", a.exchanges.length, b.exchanges.length],
    ["error", a.summary.error ?? "", b.summary.error ?? ""]];
  const text = exchange => { const body = exchange.response ? responseBody(exchange) : null; return pretty(body?.text ?? body?.base64 ?? ""); };
  return [h("div", { class: "top" }, h("div", { class: "title" }, h("b", {}, "Compare"), h("span", { class: "url" }, "left: the marked call"),
    h("button", { onclick: back }, "Back"))),
    section("Calls", table(rows)), section("Request fields", table(fieldRows(last(a).request?.fields, last(b).request?.fields))),
    section("Request body", difference(pretty(last(a).request?.body?.text ?? ""), pretty(last(b).request?.body?.text ?? ""))),
    section("Response fields", table(fieldRows(last(a).response?.fields, last(b).response?.fields))),
    section("Response body", difference(text(last(a)), text(last(b))))];
}

const section = (title, content) => h("details", { open: true }, h("summary", {}, title), h("div", {}, content));

function table(rows) {
  return h("table", {}, rows.map(([name, left, right]) => h("tr", { class: String(left) === String(right) ? "" : "changed" },
    h("td", {}, name), h("td", {}, String(left ?? "")), h("td", {}, String(right ?? "")))));
}

function fieldRows(left = [], right = []) {
  const names = [...new Set([...left, ...right].map(([name]) => name.toLowerCase()))].sort();
  return names.map(name => [name, ...[left, right].map(fields => fields.filter(([key]) => key.toLowerCase() === name).map(pair => pair[1]).join(", "))]);
}

function pretty(text) {
  try { return JSON.stringify(JSON.parse(text), null, 2); } catch { return text; }
}

/** The lines of two texts by their longest common subsequence; of long texts, the first 1,000 lines. */
function difference(left, right) {
  if (left === right) return h("p", { class: "soft" }, left ? "The same." : "None.");
  const [a, b] = [left, right].map(text => text.split("\n").slice(0, 1000));
  const lengths = Array.from({ length: a.length + 1 }, () => new Uint16Array(b.length + 1));
  for (let i = a.length - 1; i >= 0; i--) for (let j = b.length - 1; j >= 0; j--) {
    lengths[i][j] = a[i] === b[j] ? lengths[i + 1][j + 1] + 1 : Math.max(lengths[i + 1][j], lengths[i][j + 1]);
  }
  const lines = [];
  for (let i = 0, j = 0; i < a.length || j < b.length;) {
    if (i < a.length && j < b.length && a[i] === b[j]) { lines.push(h("div", {}, `  ${a[i]}`)); i++; j++; }
    else if (j >= b.length || (i < a.length && lengths[i + 1][j] >= lengths[i][j + 1])) lines.push(h("div", { class: "removed" }, `- ${a[i++]}`));
    else lines.push(h("div", { class: "added" }, `+ ${b[j++]}`));
  }
  return h("pre", {}, lines);
}
