// Requests to the agent. The link carries the token in its fragment, which browsers never send. The tab stores the token.

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

export async function ask(path: string, body?: unknown, signal?: AbortSignal): Promise<Response> {
  const headers: Record<string, string> = { Authorization: `Bearer ${sessionStorage.getItem(kept) ?? ""}` };
  if (body !== undefined) headers["Content-Type"] = "application/json";
  const request = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) };
  let answer: Response;
  try {
    answer = await fetch(`./api/${path}`, { ...request, headers, cache: "no-store", signal: signal ?? null });
  } catch {
    throw new Refused(0, "The agent does not respond.");
  }
  if (answer.ok) return answer;
  const said = await answer.json().catch(() => ({}));
  throw new Refused(answer.status, said.error ?? `The agent responded with HTTP status ${answer.status}.`);
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
