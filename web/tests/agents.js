// A consortium of real agents, each a process of its own, made by the commands of docs/consortium.md.
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const ranges = "age:0..110 sex:0..3 bmi:0..60 bp:20..170 s1:0..500 s2:0..400 s3:0..140 s4:0..13 s5:1..8 s6:20..160 y:0..600:target";

const run = promisify(execFile);
export const program = process.env.TACIT ?? fileURLToPath(new URL("../../build/tacit", import.meta.url));

// Until it is so; a test that waits for ever is ended by its own limit.
export async function until(so) {
  while (!(await so())) await new Promise((go) => setTimeout(go, 50));
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
    all.folder = await mkdtemp(join(tmpdir(), "tacit-page-"));
    all.names = Array.from({ length: count }, (_, k) => `hospital-${k + 1}`);
    const ports = await freePorts(count + 1);
    const [header, ...rows] = (await readFile(new URL("../../data/diabetes.csv", import.meta.url), "utf8")).trim().split("\n");
    const table = (first, last) => [header, ...rows.slice(first, last), ""].join("\n");
    for (const [k, name] of all.names.entries()) {
      await mkdir(join(all.folder, name));
      await all.tacit("keygen", `${name}/keys`, "--name", name, "--address", `127.0.0.1:${ports[k]}`);
      await writeFile(join(all.folder, name, "data.csv"), table(70 * k, 70 * k + 60));
      await writeFile(join(all.folder, name, "held_out.csv"), table(70 * k + 60, 70 * k + 70));
      const page = k === 0 ? `[page]\nlisten = "127.0.0.1:${ports[count]}"\n` : "";
      await writeFile(
        join(all.folder, name, "agent.toml"),
        `agent = 1\ncharter = "../charter.toml"\nidentity = "keys"\ndata = "data.csv"\nholdout = "held_out.csv"\nlisten = "127.0.0.1:${ports[k]}"\nstate = "state"\n${page}`,
      );
    }
    all.points = table(-5);
    const cards = all.names.flatMap((name) => ["--card", `${name}/keys/card.toml`]);
    const columns = ranges.split(" ").flatMap((column) => ["--column", column]);
    const terms = ["--title", "Hospitals of a test", "--topology", "complete", "--rows", "1000", "-o", "charter.toml"];
    await all.tacit("charter", "new", ...cards, ...columns, ...terms);
    for (const name of all.names) await all.tacit("charter", "sign", "charter.toml", "--identity", `${name}/keys`);
    for (const name of all.names) all.start(name);
    await until(() => all.linked());
    return all;
  }

  tacit = async (...words) => (await run(program, words, { cwd: this.folder })).stdout;
  status = async (name = "hospital-1") => JSON.parse(await this.tacit("status", "--agent", name, "--json"));
  link = async () => JSON.parse(await this.tacit("page", "--agent", "hospital-1", "--json")).link;

  async linked() {
    const status = await this.status().catch(() => null);
    return status?.peers.every((peer) => peer.up) ?? false;
  }

  start(name) {
    this.agents.set(name, spawn(program, ["agent", "--config", `${name}/agent.toml`], { cwd: this.folder, stdio: "ignore" }));
  }

  async kill(name) {
    const process = this.agents.get(name);
    this.agents.delete(name);
    process.kill("SIGKILL");
    await once(process, "exit");
  }

  async end() {
    for (const name of [...this.agents.keys()]) await this.kill(name);
    await rm(this.folder, { recursive: true });
  }
}
