// A worker's report can be seen before it is on the disk, so that the run's owner may go on while it gets there. Here the server is killed in between: what was
// answered is there; what the owner wrote after it had seen the report is there together with it; and what was not answered is reported again and
// counts once. The server writes its log to the disk only when somebody waits for it, so that a kill takes the rest with it.
import { afterEach, describe, expect, it } from "vitest";
import { isPawlError } from "../../src/errors/error.ts";
import type { FullStore } from "../../src/store/full-store.ts";
import type { DispatchRow } from "../../src/store/port.ts";
import { openPostgres } from "../../src/store/postgres/store.ts";
import { commitOne, event, next, rowOf, scope } from "../../src/store/suite/build.ts";
import { claimed, dispatch, enlistWorkers, queued } from "../../src/store/suite/queues/build.ts";
import { startPostgres } from "../support/postgres.ts";
import { startProxy } from "../support/postgres-proxy.ts";
import { proves } from "../support/proves.ts";
import { fixture } from "./fixture.ts";

const f = fixture();
const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function place() {
  const server = await startPostgres({ wal_writer_delay: "10s", wal_writer_flush_after: "1GB" });
  closing.push(() => server.stop());
  const proxy = await startProxy(server.port);
  closing.push(() => proxy.close());
  const open = async (url: string): Promise<FullStore> => {
    const store = await openPostgres(url, f.platform);
    closing.push(() => store.close());
    return store;
  };
  const owner = await open(server.url);
  const worker = await open(proxy.through(server.url));
  await queued(owner, "a", [dispatch(1)]);
  await enlistWorkers(owner, "worker-1");
  const [row] = (await claimed(worker)) as [DispatchRow];
  const report = () =>
    worker.queues.finish([{ dispatchId: row.dispatchId, token: row.token!, end: { kind: "result", report: { ok: true, result: 7 } } }]);
  /** After the power cut, as a new process finds it. */
  const after = async () => {
    await server.kill();
    await server.start();
    const store = await open(server.url);
    return {
      rows: (await store.queues.rows({ scope, runId: "a", limit: 9 })).length,
      reports: (await store.inbox({ runId: "a", all: true })).map((m) => (m.consumed ? "consumed" : "waits")),
      events: (await rowOf(store, "a")).headSeq,
    };
  };
  return { owner, proxy, report, after };
}

describe("a report and a power cut of the database", () => {
  it("a report that was answered is there", proves("TX-07"), async () => {
    const { report, after } = await place();
    expect(await report()).toEqual(["recorded"]);
    expect(await after()).toEqual({ rows: 0, reports: ["waits"], events: 1 });
  });

  it("what the owner wrote when it had seen a report is there together with it", proves("I9"), async () => {
    const { owner, proxy, report, after } = await place();
    const sprung = proxy.swallow(/pg_logical_emit_message/, true);
    const answer = report().catch((e: unknown) => isPawlError(e, "PAWL3002"));
    await Promise.race([sprung, answer]);
    const [mail] = await owner.inbox({ runId: "a" });
    expect(mail?.kind, "it is seen").toBe("result");
    await commitOne(owner, next(await rowOf(owner, "a"), { events: [event(2)], consumed: [mail!.inboxId] }));
    expect(await after()).toEqual({ rows: 0, reports: ["consumed"], events: 2 });
    await answer;
  });

  it("a report that was not answered is made again, and counts once", proves("I9"), async () => {
    const { proxy, report, after } = await place();
    const sprung = proxy.swallow(/pg_logical_emit_message/, true);
    const answer = report().catch((e: unknown) => isPawlError(e, "PAWL3002"));
    await Promise.race([sprung, answer]);
    expect(await after(), "nobody had waited for it: it is gone, and the row is its worker's as before").toMatchObject({
      rows: 1,
      reports: [],
    });
    expect(await answer, "the worker knows that nobody knows").toBe(true);
    expect(await report()).toEqual(["recorded"]);
    expect(await report(), "and no second time").toEqual(["gone"]);
  });
});
