// Waiting for a change over HTTP: a hint comes over a stream when something happened, and not because time has passed. Nothing that goes wrong with the
// stream reaches who waits.
import { afterEach, beforeEach, expect, it } from "vitest";
import { connect } from "../../src/http.ts";
import { approval, order, serve, type Served } from "./serve.ts";

const long = 600_000;
let s: Served;
let client: Awaited<ReturnType<typeof connect>>;
beforeEach(async () => {
  s = await serve({ workflows: [order, approval] });
  client = await connect({ url: s.url });
});
afterEach(async () => {
  await client.close();
  await s.close();
});

it("a wait for one run, and a wait for any, end with a change and not with their time", async () => {
  await client.start({ workflow: "approval", id: "a" });
  for (const id of ["a", undefined]) {
    // The first hint says that the stream is open.
    await client.waitForChange(id, { timeoutMs: long });
  }
  const [one, any] = [client.waitForChange("a", { timeoutMs: long }), client.waitForChange(undefined, { timeoutMs: long })];
  await client.signal("a", "approved", { by: "me" });
  await Promise.all([one, any]);
  expect(await client.waitForEnd("a")).toMatchObject({ status: "COMPLETED" });
});

it("a caller that follows sees every event, however the hints come", async () => {
  const { runId } = await client.start({ workflow: "approval", id: "b" });
  const seen: number[] = [];
  let sent = false;
  for (;;) {
    const changed = client.waitForChange(runId, { timeoutMs: long });
    const run = await client.get(runId);
    for (const e of await client.events(runId, { after: seen.at(-1) ?? 0 })) seen.push(e.runSeq);
    if (run?.status === "COMPLETED" && seen.length === run.headSeq) break;
    if (!sent) await client.signal(runId, "approved", { by: "me" });
    sent = true;
    await changed;
  }
  expect(seen).toEqual(seen.map((_, i) => i + 1));
});

it("without a stream a wait ends with its time, with its caller's signal, and with the client", async () => {
  await client.waitForChange("no such run", { timeoutMs: 10 });
  await client.waitForChange("no such run", { timeoutMs: 10 });
  const gone = new AbortController();
  const waits = [client.waitForChange(undefined, { timeoutMs: long, signal: gone.signal })];
  gone.abort();
  expect(await Promise.all(waits)).toEqual([undefined]);
  const last = client.waitForChange(undefined, { timeoutMs: long });
  await client.close();
  expect(await last).toBeUndefined();
});
