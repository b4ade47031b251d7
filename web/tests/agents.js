// A consortium of real agents, each in its own process, set up with the commands of docs/consortium.md.
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const ranges = "age:0..110 sex:0..3 bmi:0..60 bp:20..170 s1:0..500 s2:0..400 s3:0..140 s4:0..13 s5:1..8 s6:20..160 y:0..600:target";

const run = promisify(execFile);
export const program = process.env.TACIT ?? fileURLToPath(new URL("../../build/tacit", import.meta.url));

// Waits until the condition holds. The wait is limited, so that a condition that never holds fails the test.
async function until(so, what) {
  for (let k = 0; k < 600; ++k) {
    if (await so()) return;
    await new Promise((go) => setTimeout(go, 50));
  }
  throw new Error(`timed out waiting for: ${what}`);
}

async function freePorts(count) {
  const servers = Array.from({ length: count }, () => createServer().listen(0, "127.0.0.1"));
  await Promise.all(servers.map((server) => once(server, "listening")));
  const ports = servers.map((server) => server.address().port);
  await Promise.all(servers.map((server) => (server.close(), once(server, "close"))));
  return ports;
}

export class Consortium {
  agents = new Map(); // the processes, by name

  static async of(count) {
    const all = new Consortium();
    try {
      await all.begin(count);
    } catch (error) {
      await all.end();
      throw error;
    }
    return all;
  }

  async begin(count) {
    this.folder = await mkdtemp(join(tmpdir(), "tacit-page-"));
    this.names = Array.from({ length: count }, (_, k) => `hospital-${k + 1}`);
    const ports = await freePorts(count + 1);
    const [header, ...rows] = (await readFile(new URL("../../data/diabetes.csv", import.meta.url), "utf8")).trim().split("\n");
    const table = (first, last) => [header, ...rows.slice(first, last), ""].join("\n");
    for (const [k, name] of this.names.entries()) {
      await mkdir(join(this.folder, name));
      await this.tacit("keygen", `${name}/keys`, "--name", name, "--address", `127.0.0.1:${ports[k]}`);
      await writeFile(join(this.folder, name, "data.csv"), table(70 * k, 70 * k + 60));
      await writeFile(join(this.folder, name, "held_out.csv"), table(70 * k + 60, 70 * k + 70));
      const page = k === 0 ? `[page]\nlisten = "127.0.0.1:${ports[count]}"\n` : "";
      const settings = { charter: "../charter.toml", identity: "keys", data: "data.csv", holdout: "held_out.csv", state: "state" };
      const lines = Object.entries({ ...settings, listen: `127.0.0.1:${ports[k]}` }).map(([key, value]) => `${key} = "${value}"\n`);
      await writeFile(join(this.folder, name, "agent.toml"), `agent = 1\n${lines.join("")}${page}`);
    }
    this.points = table(-5);
    const cards = this.names.flatMap((name) => ["--card", `${name}/keys/card.toml`]);
    const columns = ranges.split(" ").flatMap((column) => ["--column", column]);
    const terms = ["--title", "Five hospitals", "--topology", "complete", "--rows", "1000", "-o", "charter.toml"];
    await this.tacit("charter", "new", ...cards, ...columns, ...terms);
    for (const name of this.names) await this.tacit("charter", "sign", "charter.toml", "--identity", `${name}/keys`);
    for (const name of this.names) this.start(name);
    await until(() => this.linked(), "all links up");
  }

  tacit = async (...words) => (await run(program, words, { cwd: this.folder })).stdout;
  status = async (name = "hospital-1") => JSON.parse(await this.tacit("status", "--agent", name, "--json"));
  link = async () => JSON.parse(await this.tacit("page", "--agent", "hospital-1", "--json")).link;

  // The link of an agent that has just been started.
  async newLink() {
    let link = null;
    await until(async () => (link = await this.link().catch(() => null)), "a link to the page");
    return link;
  }

  async linked() {
    const status = await this.status().catch(() => null);
    return status?.peers.every((peer) => peer.up) ?? false;
  }

  start(name) {
    this.agents.set(name, spawn(program, ["agent", "--config", `${name}/agent.toml`], { cwd: this.folder, stdio: "ignore" }));
  }

  // All threads are stopped when this returns; sending the signal does not wait for them.
  async freeze(name) {
    const { pid } = this.agents.get(name);
    process.kill(pid, "SIGSTOP");
    const threads = `/proc/${pid}/task`;
    const state = async (id) => /^\d+ \(.*\) (\w)/.exec(await readFile(`${threads}/${id}/stat`, "utf8"))?.[1];
    await until(async () => (await Promise.all((await readdir(threads)).map(state))).every((one) => one === "T"), `all threads of ${name} stopped`);
  }

  thaw(name) {
    this.agents.get(name).kill("SIGCONT");
  }

  async kill(name) {
    const agent = this.agents.get(name);
    this.agents.delete(name);
    agent.kill("SIGKILL");
    await once(agent, "exit");
  }

  async end() {
    for (const name of [...this.agents.keys()]) await this.kill(name);
    await rm(this.folder, { recursive: true, force: true });
  }
}
