// Requests to the agent. The link carries the token in its fragment, which browsers never send. The tab stores the
// token and never sends it either: while the agent is down, another program may listen on its port. Before each
// request, the server proves that it knows the token. The request then carries a pass that only this server accepts,
// and only while it holds its port (src/tacit/page/page_proof.hpp).

const kept = "tacit-token";

// Removes the token from the address bar, where a screenshot or a bookmark would reveal it.
export function takeToken(): boolean {
  const token = /^#token=([0-9A-Za-z_-]+)$/.exec(location.hash)?.[1];
  if (token) {
    sessionStorage.setItem(kept, token);
    history.replaceState(null, "", location.pathname + "#/overview");
  }
  return token !== undefined;
}

export const hasToken = () => sessionStorage.getItem(kept) !== null;
export const forgetToken = () => sessionStorage.removeItem(kept);

// The agent refused a request, or did not respond (status 0).
export class Refused extends Error {
  constructor(
    readonly status: number,
    sentence: string,
  ) {
    super(sentence);
  }
}

async function send(path: string, request: RequestInit): Promise<Response> {
  try {
    return await fetch(`./api/${path}`, { ...request, cache: "no-store" });
  } catch {
    throw new Refused(0, "The agent does not respond.");
  }
}

const hex = (bytes: Uint8Array) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

// HMAC-SHA-256 of lines under the token.
async function mac(...lines: string[]): Promise<string> {
  const bytes = (text: string) => new TextEncoder().encode(text);
  if (!globalThis.crypto?.subtle) throw new Refused(501, "This browser cannot check the agent's identity; use a current browser.");
  const token = sessionStorage.getItem(kept);
  if (!token) throw new Refused(401, "Open this page with its link.");
  const key = await crypto.subtle.importKey("raw", bytes(token), { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  return hex(new Uint8Array(await crypto.subtle.sign("HMAC", key, bytes(lines.map((line) => line + "\n").join("")))));
}

// Checks that the agent itself answers at this address, and returns the pass for requests to it.
export async function checkServer(signal: AbortSignal | null = null): Promise<string> {
  const challenge = hex(crypto.getRandomValues(new Uint8Array(32)));
  const answer = await send(`hello?challenge=${challenge}`, { signal });
  // Until it has proved who it is, nothing that the server writes is shown.
  if (!answer.ok) throw new Refused(0, "The agent does not respond.");
  const said = await answer.json().catch(() => ({}));
  if (said.proof !== (await mac("tacit page server", location.host, challenge, String(said.nonce))))
    throw new Refused(401, "This link is no longer valid, or another program answers at the agent's address.");
  return mac("tacit page client", location.host, said.nonce);
}

export async function ask(path: string, body?: unknown, signal: AbortSignal | null = null): Promise<Response> {
  const request = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) };
  for (let first = true; ; first = false) {
    const headers: Record<string, string> = { Authorization: `Bearer ${await checkServer(signal)}` };
    if (body !== undefined) headers["Content-Type"] = "application/json";
    const answer = await send(path, { ...request, headers, signal });
    if (answer.ok) return answer;
    if (answer.status === 401 && first) continue; // the agent has reloaded its files since it was checked
    const said = await answer.json().catch(() => ({}));
    throw new Refused(answer.status, said.error ?? `The agent responded with HTTP status ${answer.status}.`);
  }
}

export const get = async <T>(path: string): Promise<T> => (await ask(path)).json();

// Reads server-sent events until the stream ends. EventSource is not usable, because it cannot send the token.
export async function readEvents(answer: Response, each: (name: string, data: any) => void) {
  const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    const blocks = (rest + value).replaceAll("\r\n", "\n").split("\n\n");
    rest = blocks.pop()!;
    for (const block of blocks) {
      const fields = block.split("\n").map((line) => /^(\w+): ?(.*)$/.exec(line));
      const all = (field: string) => fields.filter((one) => one?.[1] === field).map((one) => one![2]!);
      const data = all("data");
      // A block without data is a keep-alive.
      each(all("event")[0] ?? "", data.length > 0 ? JSON.parse(data.join("\n")) : null);
    }
  }
}
