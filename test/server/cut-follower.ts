// A follower of a workflowId that is cut at random moments, while its runs work, continue as new, fail and are retried. It comes back each time
// with the last id that it saw, as browsers do, and notes every event. What it must have seen is then read from the logs.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { workflow } from "../../src/index.ts";
import { serve } from "./serve.ts";
import { openSse } from "./sse.ts";

export interface CutReport {
  readonly missing: readonly string[];
  readonly twice: readonly string[];
  readonly cuts: number;
  readonly events: number;
  readonly runs: number;
}

/** `steps` for each of three runs; at least `cuts` cuts, spread over all of them. */
export async function cutFollower(o: {
  readonly cuts: number;
  readonly steps: number;
  readonly seed?: number;
  readonly tooLate?: boolean;
}): Promise<CutReport> {
  const home = mkdtempSync(join(tmpdir(), "pawl-cuts-"));
  let failed = false;
  const chain = workflow({ name: "chain", input: z.object({ left: z.number() }) }, async (ctx, { left }): Promise<unknown> => {
    for (let i = 0; i < o.steps; i++) await ctx.step("s", () => i);
    if (left > 0) return ctx.continueAsNew({ left: left - 1 });
    if (failed) return "done";
    failed = true;
    throw new Error("once");
  });
  const s = await serve({ workflows: [chain], on: `sqlite:${join(home, "a.db")}` });
  try {
    const seen = new Map<string, number>();
    const random = randomFrom(o.seed ?? 1);
    const perCut = Math.max(2, Math.floor((o.steps * 6 * 2) / o.cuts / 1.5));
    let cuts = 0;
    let lastId: string | undefined;
    let retried = false;
    let isOver = false;
    await s.post("/v1/runs", { workflow: "chain", id: "w", input: { left: 1 } });
    while (!isOver || cuts < o.cuts) {
      const reader = await openSse(`${s.url}/v1/runs/w/events`, lastId === undefined ? {} : { "last-event-id": lastId });
      const frames = 1 + Math.floor(random() * perCut);
      for (let n = 0; n < frames; n++) {
        if (isOver && n > 0) break; // only heartbeats would follow
        const frame = await reader.next((f) => f.event === "event" || f.event === "moved" || (isOver && f.event === "run"));
        if (frame === undefined) break;
        if (frame.id !== undefined) lastId = o.tooLate === true && frame.event === "event" ? onePlaceLater(frame.id) : frame.id;
        if (frame.event !== "event") continue;
        seen.set(frame.id!, (seen.get(frame.id!) ?? 0) + 1);
        if (frame.data.eventType === "RunFailed" && !retried) {
          retried = true;
          await s.post("/v1/runs/w/retry", { fromStep: "s" });
        } else if (frame.data.eventType === "RunCompleted" && retried) isOver = true;
      }
      reader.cut();
      cuts++;
    }
    const missing: string[] = [];
    let events = 0;
    let runs = 0;
    for (const { runId } of (await s.get("/v1/runs?workflowId=w")).json.items as { runId: string }[]) {
      runs++;
      for (let after = 0; ;) {
        const { items } = (await s.get(`/v1/runs/${runId}/events?limit=1000&after=${after}`)).json as { items: { runSeq: number }[] };
        for (const { runSeq } of items) {
          events++;
          if (!seen.has(`${runId}:${runSeq}`)) missing.push(`${runId}:${runSeq}`);
        }
        if (items.length < 1_000) break;
        after = items.at(-1)!.runSeq;
      }
    }
    const twice = [...seen].filter(([, times]) => times > 1).map(([id]) => id);
    return { missing, twice, cuts, events, runs };
  } finally {
    await s.close();
    rmSync(home, { recursive: true, force: true });
  }
}

/** A planted bug. */
function onePlaceLater(id: string): string {
  const at = id.lastIndexOf(":");
  return `${id.slice(0, at)}:${Number(id.slice(at + 1)) + 1}`;
}

function randomFrom(seed: number): () => number {
  let x = seed * 2_654_435_761;
  return () => {
    x = (Math.imul(x ^ (x >>> 15), 2_246_822_519) + 0x9e3779b9) >>> 0;
    return x / 2 ** 32;
  };
}
