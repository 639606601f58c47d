// Requests that nobody should send, to a server in a process of its own: broken HTTP, hostile text, odd bodies. A fault is a request. None may be
// answered with a status of 500 or more, none may hang, the process must stay, and it must not grow.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { malformedRequest } from "../server/malformed.ts";
import { RawConnection } from "../server/raw-connection.ts";
import { startChild, type Child } from "../support/child-process.ts";
import type { Violation } from "./check.ts";
import { seeded, type Part } from "./engine-processes.ts";

const connections = 8;
const growthMax = 20 * 1_048_576;
/** So few requests say nothing about growth. */
const growthFrom = 20_000;
/** What the process holds is asked so often in one run of the part. */
const samplesWanted = 100;

export const requests: Part = {
  name: "requests",
  stores: ["sqlite"],
  canary: { bug: "lets an exception out", shows: ["broken"], faults: 1_000 },
  async run({ faults, seed, bug, say }) {
    const dir = mkdtempSync(join(tmpdir(), "pawl-requests-"));
    const child = startChild("test/server/programs/served.js", { args: [`sqlite:${join(dir, "state.db")}`, bug ?? ""] });
    const violations: Violation[] = [];
    const below = seeded(seed);
    const counts = new Map<number, number>();
    try {
      const port = Number((await child.waitForLine("port ")).slice("port ".length));
      let sent = 0;
      const sampleEvery = Math.ceil(faults / samplesWanted);
      const samples: number[] = [];
      const one = async (): Promise<void> => {
        const connection = new RawConnection(port);
        while (sent < faults && violations.length < 20) {
          const n = sent++;
          const request = malformedRequest(below);
          const shown = (): string => JSON.stringify(request.bytes.toString("latin1").slice(0, 2_000));
          try {
            const { status, text } = await connection.send(request.bytes, request.cut);
            counts.set(status, (counts.get(status) ?? 0) + 1);
            if (status >= 500)
              violations.push({ kind: "broken", what: `request ${n} was answered with ${status}: ${shown()} ${text.slice(0, 500)}` });
            if (/node_modules|\.ts:\d+|at async /.test(text))
              violations.push({ kind: "broken", what: `request ${n} was answered with a stack trace: ${shown()}` });
          } catch (e) {
            violations.push({ kind: "lost", what: `request ${n}: ${e instanceof Error ? e.message : String(e)}` });
          }
          if (n % 10_000 === 9_999) say(`${n + 1} of ${faults} requests, ${await memoryLine(child)}`);
          if (faults >= growthFrom && (n + 1) % sampleEvery === 0) samples.push((await memoryOf(child))[0] ?? 0);
        }
        connection.close();
      };
      await Promise.all(Array.from({ length: connections }, one));
      if (samples.length >= 10) {
        const grown = growth(samples);
        const mb = (bytes: number): string => (bytes / 1_048_576).toFixed(1);
        say(`the process held ${mb(Math.min(...samples))} to ${mb(Math.max(...samples))} MB and grew by ${mb(grown)} MB`);
        if (grown > growthMax) violations.push({ kind: "broken", what: `the process grew by ${grown} bytes` });
      }
      say(`answers ${[...counts].map(([s, n]) => `${s}: ${n}`).join(", ")}`);
      child.signal("SIGTERM");
      const { code, stderr } = await child.ended;
      if (code !== 0) violations.push({ kind: "broken", what: `the process ended with ${code}: ${stderr.slice(0, 1_000)}` });
      return { faults: sent, runs: 0, effects: 0, resent: 0, inDoubt: 0, violations };
    } finally {
      child.signal("SIGKILL");
      rmSync(dir, { recursive: true, force: true });
    }
  },
};

/**
 * The middle of the last fifth of the samples over that of the second. Before, code is compiled and caches are filled. One sample says little: V8 keeps
 * between 30 and 90 MB of pages for a heap of 25 MB, as it likes.
 */
function growth(samples: readonly number[]): number {
  const fifth = Math.floor(samples.length / 5);
  const middle = (some: readonly number[]): number => some.toSorted((a, b) => a - b)[Math.floor(some.length / 2)] ?? 0;
  return middle(samples.slice(-fifth)) - middle(samples.slice(fifth, 2 * fifth));
}

let asked = 0;
/** What the process holds after collecting garbage, in bytes: all of it, objects of JavaScript, memory outside of its heap. */
async function memoryOf(child: Child): Promise<readonly number[]> {
  const n = ++asked;
  child.send(`memory ${n}`);
  return (await child.waitForLine(`memory ${n} `)).split(" ").slice(2).map(Number);
}

async function memoryLine(child: Child): Promise<string> {
  const [rss = 0, heap = 0, external = 0] = (await memoryOf(child)).map((bytes) => Math.round(bytes / 1_048_576));
  return `${rss} MB, of which heap ${heap}, external ${external}`;
}
