// A server that is killed between a commit and its answer, in a small dose; the campaign kills two hundred. Every request that is sent again with
// the same id had one effect, and is answered the same.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { killChildren } from "../support/child-process.ts";
import { proves } from "../support/proves.ts";
import { killRequests } from "./killed-requests.ts";

const dirs: string[] = [];
const place = (): string => {
  const dir = mkdtempSync(join(tmpdir(), "pawl-killed-"));
  dirs.push(dir);
  return `sqlite:${join(dir, "s.db")}`;
};
afterEach(async () => {
  await killChildren();
  for (const dir of dirs.splice(0)) rmSync(dir, { recursive: true, force: true });
});
let n = 0;
const inTurn = (below: number): number => n++ % below;

it(
  "start, reject, restart, retry, resolve and pause have one effect, and the same answer",
  proves("C2", "K8", "K19", "AX-35", "AX-36"),
  async () => {
    const { kills, violations } = await killRequests({ store: place(), kills: 8, random: inTurn });
    expect(violations).toEqual([]);
    expect(kills).toBeGreaterThanOrEqual(8);
  },
);

it("without any engine the server applies a pause and a restart itself, and is killed at that", proves("K5", "K8"), async () => {
  const { violations } = await killRequests({
    store: place(),
    kills: 4,
    random: inTurn,
    operations: ["pause", "restart"],
    withEngine: false,
  });
  expect(violations).toEqual([]);
});
