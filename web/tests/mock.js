// The page without a real agent: serves the built files and answers like an agent, so that tests can show every state
// of the page. A test changes `agent.status` or another answer, and then calls `agent.tell()`.
import { createHmac, randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { fileURLToPath } from "node:url";
import { fixtures } from "./mock_answers.js";

export const token = "0123456789abcdef0123456789abcdef";

// The hash of the style that Plot writes for the class plot-d6a7b5. The agent has the same constant.
export const plot_style = "sha256-jSYQUrW7J0b3jPqhZP9C2Xh1PyJKHKXd4s0fpGGKrww=";
const policy = `default-src 'none'; script-src 'self'; style-src 'self' '${plot_style}'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

// As in src/tacit/page/page_proof.cpp.
export const mac = (...lines) => createHmac("sha256", token).update(lines.map((line) => line + "\n").join("")).digest("hex");

const types = { html: "text/html; charset=utf-8", js: "text/javascript", css: "text/css" };
const built = new URL("../built/page/", import.meta.url);

export class MockAgent {
  answers = fixtures();
  asked = []; // every POST: [path, body]
  streams = new Set();
  waiting = new Map(); // requests in progress, by name: the response to write to

  get status() {
    return this.answers.status;
  }
  get origin() {
    return `http://127.0.0.1:${this.port}`;
  }
  get link() {
    return `${this.origin}/#token=${token}`;
  }

  async start() {
    this.nonce = randomBytes(32).toString("hex");
    this.server = createServer((request, response) => this.serve(request, response));
    await new Promise((ready) => this.server.listen(this.port ?? 0, "127.0.0.1", ready));
    this.port = this.server.address().port;
    return this;
  }

  // Breaks every connection, as if the process was killed.
  async stop() {
    const closed = new Promise((done) => this.server.close(done));
    this.server.closeAllConnections();
    this.streams.clear();
    this.waiting.clear();
    await closed;
  }

  tell() {
    for (const stream of this.streams) event(stream, "status", this.status);
  }

  // Sends an event to the requests in progress, or to the next one: agent.say("words", {words: "tuning"}).
  async say(name, data) {
    if (this.waiting.size === 0) await new Promise((come) => (this.came = come));
    for (const response of this.waiting.values()) {
      event(response, name, data);
      if (name === "result" || name === "error") response.end();
    }
    if (name === "result" || name === "error") this.waiting.clear();
  }

  async serve(request, response) {
    const path = new URL(request.url, this.origin).pathname;
    if (!path.startsWith("/api/")) return this.file(path === "/" ? "/index.html" : path, response);
    const json = (code, value) => response.writeHead(code, { "Content-Type": "application/json" }).end(JSON.stringify(value));
    if (path === "/api/hello") {
      const challenge = new URL(request.url, this.origin).searchParams.get("challenge");
      return json(200, { nonce: this.nonce, proof: mac("tacit page server", `127.0.0.1:${this.port}`, challenge, this.nonce) });
    }
    if (request.headers.authorization !== `Bearer ${mac("tacit page client", `127.0.0.1:${this.port}`, this.nonce)}`) return json(401, { error: "this link is not valid or has been replaced; tacit page prints the current link" });
    if (request.method === "POST") return this.post(path.slice(5), await body(request), json, response);
    if (path === "/api/events") {
      response.writeHead(200, { "Content-Type": "text/event-stream" });
      this.streams.add(response);
      response.on("close", () => this.streams.delete(response));
      return event(response, "status", this.status);
    }
    const answer = this.answers[path.slice(5)];
    return answer ? json(200, answer) : json(404, { error: "This path does not exist." });
  }

  post(path, text, json, response) {
    const said = JSON.parse(text);
    this.asked.push([path, said]);
    if (path === "stop") {
      this.say("error", { error: "stopped: bonn and celle were notified; no model was created", stopped: true });
      return json(200, {});
    }
    if (this.refusal) return json(400, { error: this.refusal });
    response.writeHead(200, { "Content-Type": "text/event-stream" });
    const name = `ask-${this.asked.length}`;
    this.waiting.set(name, response);
    event(response, "ask", { ask: name });
    this.came?.();
    if (path === "predict") this.say("result", this.answers.predict(said));
  }

  async file(path, response) {
    try {
      const bytes = await readFile(fileURLToPath(new URL("." + path, built)));
      const type = types[path.split(".").pop()] ?? "application/octet-stream";
      response.writeHead(200, { "Content-Type": type, "Content-Security-Policy": policy, "Cache-Control": "no-cache" }).end(bytes);
    } catch {
      response.writeHead(404).end();
    }
  }
}

const event = (response, name, data) => response.write(`event: ${name}\ndata: ${JSON.stringify(data)}\n\n`);

async function body(request) {
  let text = "";
  for await (const part of request) text += part;
  return text;
}
