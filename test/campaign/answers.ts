// A server that is killed between a commit and its answer: start, reject, restart, retry, resolve and pause over HTTP, each sent again with the
// same id to the server that takes its place. A fault is a SIGKILL. Each request must have had one effect, and be answered the same.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { killRequests } from "../server/killed-requests.ts";
import { seeded, type Part } from "./engine-processes.ts";

export const answers: Part = {
  name: "answers",
  stores: ["sqlite"],
  canary: { bug: "forgets its ids", shows: ["lost", "duplicate", "differs"], faults: 4 },
  async run({ faults, seed, bug, say }) {
    const dir = mkdtempSync(join(tmpdir(), "pawl-answers-"));
    try {
      const { kills, requests, violations } = await killRequests({
        store: `sqlite:${join(dir, "state.db")}`,
        kills: faults,
        random: seeded(seed),
        say,
        ...(bug === undefined ? {} : { bug }),
      });
      return { faults: kills, runs: requests, effects: requests, resent: 0, inDoubt: 0, violations };
    } finally {
      rmSync(dir, { recursive: true, force: true });
    }
  },
};
