// The worker protocol over real sockets, on a real engine: steps are claimed, run by a program that is not Pawl's, and reported; what is lost, late or
// hostile is answered as docs/worker-protocol.md says. Each test has a store of its own.
import { spawn, type ChildProcess } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { engine, worker } from "../../src/index.ts";
import { server } from "../../src/server.ts";
import { task, workflow } from "../../src/workflow/define.ts";
import type { AnyWorkflow } from "../../src/workflow/types.ts";
import { tokenVerbs } from "../../src/access/tokens.ts";
import { defaultScope } from "../../src/client/environment.ts";
import { systemPlatform } from "../../src/platform/system.ts";
import { RemoteWorkers } from "../../src/server/workers/remote-workers.ts";
import { memoryStore } from "../../src/store/memory/store.ts";
import { proves } from "../support/proves.ts";
import { skipsWithoutMariadb } from "../support/mariadb.ts";
import { openTestDatabase, storeNames } from "../support/test-database.ts";
import type { Answer, Served } from "../server/serve.ts";
import { held, hello, mailing, poll, registered, startMailing } from "./mailing.ts";

const samples = fileURLToPath(new URL("../../examples/workers", import.meta.url));
const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

const start = async (wf: AnyWorkflow, on?: string): Promise<Served> => {
  const s = await startMailing(wf, on);
  closing.push(() => s.close());
  return s;
};
let n = 0;

describe("the worker protocol over HTTP", () => {
  it("a claimed step has its input, its key and its class, and its result is the step's", proves("T-45", "TX-16"), async () => {
    const { wf, task } = mailing({ key: (i) => `mail-${(i as { to: string }).to}`, dedup: "1h" });
    const s = await start(wf);
    const id = await registered(s, task);
    const handle = await s.app.start(wf, { to: "ann" }, { id: "one" });
    const { json } = await poll(s, id);
    expect(json).toMatchObject({ cancel: [], lost: [] });
    const [claim] = json.claimed;
    expect(claim).toMatchObject({
      what: "run",
      task,
      queue: "mails",
      runId: handle.runId,
      input: { to: "ann" },
      key: "mail-ann",
      class: "KEYED",
      attempt: { logical: 1, engine: 1 },
    });
    const report = await s.post(`/v1/workers/${id}/results`, { results: [{ ...held(claim), ok: true, result: { sent: "m-1" } }] });
    expect(report.json).toEqual({ noted: [{ dispatchId: claim.dispatchId, as: "recorded" }] });
    await expect(handle.result()).resolves.toEqual({ sent: "m-1" });
    // TX-16, as an auditor asks over HTTP.
    for (const query of [`worker=${id}`, `runId=${handle.runId}&stepId=${task}`, "workflowId=one"])
      expect((await s.get(`/v1/effects?${query}`)).json.items, query).toMatchObject([
        { worker: id, runId: handle.runId, status: "completed", durationMs: expect.any(Number) },
      ]);
    expect((await s.get("/v1/effects?worker=nobody")).json.items).toEqual([]);
    const again = await s.post(`/v1/workers/${id}/results`, { results: [{ ...held(claim), ok: true, result: { sent: "m-1" } }] });
    expect(again.json.noted[0].as).toBe("known");
  });

  it(
    "a report counts for a step at work; for one that nobody has claimed, that was given back or that has ended, it changes nothing",
    proves("T-20", "T-21", "T-23", "T-45"),
    async () => {
      const { wf, task } = mailing({ repeatable: true });
      const s = await start(wf);
      const id = await registered(s, task);
      const runs = [await s.app.start(wf, { to: "ann" }, { id: "one" }), await s.app.start(wf, { to: "bob" }, { id: "two" })];
      const say = async (dispatchId: string, token: string, sent: string): Promise<unknown> =>
        (await s.post(`/v1/workers/${id}/results`, { results: [{ dispatchId, token, ok: true, result: { sent } }] })).json.noted[0].as;
      const claims = (await poll(s, id)).json.claimed as { dispatchId: string; token: string; runId: string }[];
      while (claims.length < 2) claims.push(...(await poll(s, id, claims.map(held))).json.claimed);
      const [one, two] = runs.map((r) => claims.find((c) => c.runId === r.runId)!);
      // Who finds nothing to claim is told so, and that is no error.
      expect(await poll(s, await registered(s, task), [], 0)).toMatchObject({ status: 200, json: { claimed: [] } });
      // Waiting again, not at work: neither the old token nor an invented one completes it.
      await s.post(`/v1/workers/${id}/results`, { results: [{ ...held(two!), back: true }] });
      expect([await say(two!.dispatchId, two!.token, "early"), await say(two!.dispatchId, "guessed", "forged")]).toEqual(["lost", "lost"]);
      expect((await s.get("/v1/runs/two")).json.status).toBe("RUNNING");
      // At work: recorded; ended: known, whatever it says now.
      expect(await say(one!.dispatchId, "guessed", "forged")).toBe("lost");
      expect([await say(one!.dispatchId, one!.token, "m-1"), await say(one!.dispatchId, one!.token, "m-2")]).toEqual(["recorded", "known"]);
      await expect(runs[0]!.result()).resolves.toEqual({ sent: "m-1" });
      const again = (await poll(s, id)).json.claimed[0];
      expect([again.dispatchId, again.token === two!.token]).toEqual([two!.dispatchId, false]);
      expect(await say(again.dispatchId, again.token, "m-3")).toBe("recorded");
      await expect(runs[1]!.result()).resolves.toEqual({ sent: "m-3" });
      expect(await say("999999.nobody", "x", "forged")).toBe("lost");
    },
  );

  it("a failure is retried as the policy says, one that is final fails the run, and a step that is given back is handed out again", async () => {
    const { wf, task } = mailing({ repeatable: true, retry: { attempts: 3, initial: "1ms" } });
    const s = await start(wf);
    const id = await registered(s, task);
    const handle = await s.app.start(wf, { to: "bob" }, { id: "one" });
    const first = (await poll(s, id)).json.claimed[0];
    await s.post(`/v1/workers/${id}/results`, { results: [{ ...held(first), back: true }] });
    const second = (await poll(s, id)).json.claimed[0];
    expect([second.attempt, second.dispatchId]).toEqual([{ logical: 1, engine: 1 }, first.dispatchId]);
    await s.post(`/v1/workers/${id}/results`, { results: [{ ...held(second), ok: false, error: { name: "Busy", message: "busy" } }] });
    const third = (await poll(s, id)).json.claimed[0];
    expect(third.attempt.logical).toBe(2);
    const final = { ...held(third), ok: false, error: { name: "NoSuchBox", message: "no such box", data: { box: 7 } }, retryable: false };
    await s.post(`/v1/workers/${id}/results`, { results: [final] });
    await expect(handle.result()).rejects.toMatchObject({ message: expect.stringContaining("no such box") as string });
  });

  it("a worker that asks for a retry at no possible time is not waited for", async () => {
    const { wf, task } = mailing({ repeatable: true, retry: { attempts: 2, initial: "1ms" } });
    const s = await start(wf);
    const id = await registered(s, task);
    const handle = await s.app.start(wf, { to: "bob" }, { id: "one" });
    const claim = (await poll(s, id)).json.claimed[0];
    const never = { ...held(claim), ok: false, error: { name: "Busy", message: "busy" }, retryAfterMs: Number.MAX_SAFE_INTEGER };
    expect((await s.post(`/v1/workers/${id}/results`, { results: [never] })).status).toBe(422);
    await s.post(`/v1/workers/${id}/results`, { results: [{ ...never, retryAfterMs: 1 }] });
    expect((await poll(s, id)).json.claimed[0].attempt.logical).toBe(2);
    await handle.cancel();
  });

  it("a result that does not fit the task's schema ends the step, and says so", async () => {
    const { wf, task } = mailing();
    const s = await start(wf);
    const id = await registered(s, task);
    const handle = await s.app.start(wf, { to: "cy" }, { id: "one" });
    const claim = (await poll(s, id)).json.claimed[0];
    await s.post(`/v1/workers/${id}/results`, { results: [{ ...held(claim), ok: true, result: { nothing: 1 } }] });
    await expect(handle.result()).rejects.toThrow(/sent/);
  });

  it("a poll whose answer was lost loses nothing: what is not held is handed out again under the same claim", async () => {
    const { wf, task } = mailing();
    const s = await start(wf);
    const id = await registered(s, task);
    await s.app.start(wf, { to: "ann" }, { id: "one" });
    const lost = (await poll(s, id)).json.claimed[0];
    const again = (await poll(s, id, [], 0)).json.claimed[0];
    expect(held(again)).toEqual(held(lost));
    expect((await poll(s, id, [held(again)], 0)).json.claimed).toEqual([]);
  });

  it("a cancel reaches the worker, and its report is the step's outcome", async () => {
    const { wf, task } = mailing();
    const s = await start(wf);
    const id = await registered(s, task);
    const handle = await s.app.start(wf, { to: "ann" }, { id: "one" });
    const claim = (await poll(s, id)).json.claimed[0];
    const cancelled = handle.cancel("no longer wanted");
    const { json } = await poll(s, id, [held(claim)]);
    expect(json.cancel).toEqual([claim.dispatchId]);
    const result = { ...held(claim), ok: false, error: { name: "Stopped", message: "stopped as asked" }, retryable: false };
    await s.post(`/v1/workers/${id}/results`, { results: [result] });
    await cancelled;
    await expect(handle.result()).rejects.toMatchObject({ name: expect.any(String) as string });
    expect((await s.get("/v1/runs/one")).json.status).toBe("CANCELLED");
  });

  it("heartbeats and checkpoints are kept for the next attempt", async () => {
    const { wf, task } = mailing({ repeatable: true, retry: { attempts: 2, initial: "1ms" } });
    const s = await start(wf);
    const id = await registered(s, task);
    await s.app.start(wf, { to: "ann" }, { id: "one" });
    const claim = (await poll(s, id)).json.claimed[0];
    const beat = await s.post(`/v1/workers/${id}/beats`, { beats: [{ ...held(claim), cursor: 7, carried: { sum: 3 } }] });
    expect(beat.json).toEqual({ cancel: [], lost: [] });
    await s.post(`/v1/workers/${id}/results`, { results: [{ ...held(claim), ok: false, error: { name: "E", message: "again" } }] });
    const next = (await poll(s, id)).json.claimed[0];
    expect(next).toMatchObject({ attempt: { logical: 2 }, cursor: 7, carried: { sum: 3 } });
  });

  it("a worker that is not registered is refused with 404, and so is one of another tenant", async () => {
    const { wf, task } = mailing();
    const s = await start(wf);
    const id = await registered(s, task);
    await s.post(`/v1/workers/${id}/leave`);
    for (const who of [id, "nobody"]) {
      const { status, json } = await poll(s, who, [], 0);
      expect([status, json.code]).toEqual([404, "PAWL4130"]);
    }
  });

  it("what a worker had claimed when it left is decided by its class: nothing is sent again on a guess", async () => {
    const { wf, task } = mailing({ once: true });
    const s = await start(wf);
    const id = await registered(s, task);
    const handle = await s.app.start(wf, { to: "ann" }, { id: "one" });
    const claim = (await poll(s, id)).json.claimed[0];
    await s.post(`/v1/workers/${id}/leave`);
    await expect.poll(async () => (await s.app.decisions()).length, { timeout: 20_000 }).toBe(1);
    // Its report comes after all: it is evidence for the person who decides, and is adopted while nobody has.
    const late = await s.post(`/v1/workers/${id}/results`, { results: [{ ...held(claim), ok: true, result: { sent: "m-9" } }] });
    expect(late.json.noted[0].as).toBe("late");
    await expect(handle.result()).resolves.toEqual({ sent: "m-9" });
  });

  it("requests that make no sense are refused, and nothing of them is stored", async () => {
    const { wf, task } = mailing();
    const s = await start(wf);
    const id = await registered(s, task);
    const bad: readonly (readonly [string, unknown, number])[] = [
      ["/v1/workers", { ...hello(task), queues: { mails: { concurrency: 0 } } }, 422],
      ["/v1/workers", { lang: "x", works: [], queues: {} }, 422],
      [`/v1/workers/${id}/poll`, { free: { others: 1 }, waitMs: 0, holds: [] }, 422],
      [`/v1/workers/${id}/poll`, { free: { mails: 1 }, waitMs: 90_000, holds: [] }, 422],
      [`/v1/workers/${id}/poll`, { free: {}, waitMs: 0, holds: [{ dispatchId: "x", token: "t" }] }, 422],
      [`/v1/workers/${id}/results`, { results: [{ dispatchId: "1.r", token: "t", ok: "yes" }] }, 422],
    ];
    for (const [path, body, status] of bad) expect((await s.post(path, body)).status, `${path} ${JSON.stringify(body)}`).toBe(status);
    const forged = await s.post(`/v1/workers/${id}/results`, { results: [{ dispatchId: "1.nobody", token: "t", ok: true }] });
    expect(forged.json.noted[0].as).toBe("lost");
  });

  it("a worker that lies changes nothing: a guessed token, another's step, too much, twice with two results", async () => {
    const { wf, task } = mailing({ once: true });
    const s = await start(wf);
    const [id, liar] = [await registered(s, task), await registered(s, task)];
    const handle = await s.app.start(wf, { to: "ann" }, { id: "lied" });
    const [claim] = (await poll(s, id)).json.claimed;
    const say = async (worker: string, result: object): Promise<Answer> => s.post(`/v1/workers/${worker}/results`, { results: [result] });
    const guessed = await say(liar, { dispatchId: claim.dispatchId, token: "guessed", ok: true, result: { sent: "forged" } });
    expect(guessed.json.noted[0].as).toBe("lost");
    const tooMuch = await say(id, { ...held(claim), ok: true, result: { sent: "x".repeat(3_000_000) } });
    expect([413, 422]).toContain(tooMuch.status);
    expect((await s.get("/v1/runs/lied")).json.status, "it is still at work").toBe("RUNNING");
    expect((await say(id, { ...held(claim), ok: true, result: { sent: "m-1" } })).json.noted[0].as).toBe("recorded");
    expect((await say(id, { ...held(claim), ok: true, result: { sent: "m-2" } })).json.noted[0].as).toBe("known");
    expect((await say(liar, { ...held(claim), token: "guessed", ok: true, result: { sent: "m-3" } })).json.noted[0].as).toBe("lost");
    expect((await say(liar, { ...held(claim), ok: true, result: { sent: "m-4" } })).json.noted[0].as, "its token is known").toBe("known");
    await expect(handle.result()).resolves.toEqual({ sent: "m-1" });
  });

  it("a worker that gives its place up does not say what it sent: what may be sent once waits for a person", async () => {
    const { wf, task } = mailing({ once: true });
    const s = await start(wf);
    const id = await registered(s, task);
    const handle = await s.app.start(wf, { to: "ann" }, { id: "one" });
    const claim = (await poll(s, id)).json.claimed[0];
    await s.post(`/v1/workers/${id}/results`, { results: [{ ...held(claim), yield: 1 }] });
    await expect.poll(async () => (await handle.status()).waiting, { timeout: 30_000 }).toBe("decision");
    expect((await poll(s, id, [], 0)).json.claimed).toEqual([]);
  });

  it("what may simply run again continues where it gave its place up, and its proof counts both calls", async () => {
    const { wf, task } = mailing();
    const s = await start(wf);
    const id = await registered(s, task);
    const handle = await s.app.start(wf, { to: "ann" }, { id: "one" });
    const first = (await poll(s, id)).json.claimed[0];
    await s.post(`/v1/workers/${id}/results`, { results: [{ ...held(first), yield: 1 }] });
    const second = (await poll(s, id)).json.claimed[0];
    expect(second).toMatchObject({ cursor: 1, attempt: { logical: 1, engine: 1 } });
    await s.post(`/v1/workers/${id}/results`, { results: [{ ...held(second), ok: true, result: { sent: "ann" } }] });
    await expect(handle.result()).resolves.toEqual({ sent: "ann" });
    expect((await handle.proof()).effects).toMatchObject([{ verdict: "at-least-once", sends: 2 }]);
  });

  it("a token that is bound to a queue serves no other", async () => {
    const { wf, task } = mailing();
    const [platform, scope] = [systemPlatform(), defaultScope];
    const store = memoryStore(platform);
    const { token } = await tokenVerbs({ store, platform, scope }, null).create({
      subject: "mailer",
      scopes: ["worker"],
      queues: ["letters"],
    });
    const app = await engine({ store, workflows: [wf], log: () => {} });
    const api = await server({ engine: app, log: () => {} });
    const { url } = await api.listen({ port: 0 });
    closing.push(async () => (await api.stop(), await app.stop()));
    const ask = async (method: "GET" | "POST", path: string, body?: unknown): Promise<[number, string]> => {
      const headers = { "content-type": "application/json", authorization: `Bearer ${token}` };
      const answer = await fetch(`${url}${path}`, { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
      return [answer.status, ((await answer.json()) as { code?: string }).code ?? ""];
    };
    expect(await ask("POST", "/v1/workers", hello(task))).toEqual([403, "PAWL4081"]);
    expect(await ask("POST", "/v1/workers", { ...hello(task), queues: { letters: { concurrency: 1 } } })).toEqual([201, ""]);
    expect(await ask("GET", "/v1/runs"), "it reads no runs").toEqual([403, "PAWL4081"]);
    // Nor does it act as a worker of another queue, whose id it learned: not even without a free place.
    const other = await app.start(wf, { to: "ann" }, { id: "one" });
    const remote = new RemoteWorkers(store, scope, platform);
    const { workerId } = await remote.register(hello(task), undefined);
    const [claim] = (await remote.poll(workerId, { free: { mails: 1 }, waitMs: 5_000, holds: [] }, undefined, AbortSignal.timeout(10_000)))
      .claimed;
    const asOther: readonly (readonly [string, object])[] = [
      ["poll", { free: {}, waitMs: 0, holds: [] }],
      ["beats", { beats: [] }],
      ["results", { results: [{ dispatchId: claim!.dispatchId, token: "t", ok: true, result: { sent: "forged" } }] }],
      ["leave", { holds: [] }],
    ];
    for (const [verb, body] of asOther) expect(await ask("POST", `/v1/workers/${workerId}/${verb}`, body), verb).toEqual([403, "PAWL4081"]);
    await remote.results(workerId, [{ ...held(claim!), ok: true, result: { sent: "ann" } }], undefined);
    await expect(other.result()).resolves.toEqual({ sent: "ann" });
  });
});

describe("a Node worker over HTTP", () => {
  it("runs tasks, keeps heartbeats for the next attempt, and stops when what it holds is reported", async () => {
    const name = `nodeMail-${++n}`;
    const seen: unknown[] = [];
    const t = task(
      { name, input: z.object({ to: z.string() }) },
      (i, s) => {
        seen.push([i.to, s.attempt.logical, s.lastHeartbeat]);
        s.heartbeat({ step: s.attempt.logical });
        if (s.attempt.logical === 1) throw new Error("busy");
        return { sent: new Date(5), big: 2n ** 70n };
      },
      { queue: "mails", key: (i) => i.to, dedup: "1h", retry: { attempts: 2, initial: "1ms" } },
    );
    const wf = workflow({ name: `nodeMailing-${n}`, input: z.object({ to: z.string() }) }, (ctx, i) => ctx.do(t, i));
    const app = await engine({ store: "memory:", workflows: [wf], queues: {}, log: () => {} });
    const api = await server({ engine: app, auth: "open", log: () => {} });
    const { url } = await api.listen({ port: 0 });
    closing.push(async () => (await api.stop(), await app.stop()));
    const w = await worker({ url, tasks: [t], queues: { mails: { concurrency: 2 } }, log: () => {} });
    const handle = await app.start(wf, { to: "ann" }, { id: "ann" });
    await expect(handle.result()).resolves.toEqual({ sent: new Date(5), big: 2n ** 70n });
    expect(seen).toEqual([
      ["ann", 1, undefined],
      ["ann", 2, { step: 1 }],
    ]);
    await w.stop();
    expect(w.running).toBe(0);
  });

  it(
    "a worker that leaves gives back what it was given and does not hold: its open poll ends, and the step is another's, sent once",
    proves("C5"),
    async () => {
      const { wf, task } = mailing({ once: true });
      const s = await start(wf);
      const [idle, leaver, next] = [await registered(s, task), await registered(s, task), await registered(s, task)];
      const open = poll(s, idle);
      await s.post(`/v1/workers/${idle}/leave`, { holds: [] });
      expect((await open).json).toEqual({ claimed: [], cancel: [], lost: [] });
      const handle = await s.app.start(wf, { to: "ann" }, { id: "one" });
      const given = (await poll(s, leaver)).json.claimed[0];
      await s.post(`/v1/workers/${leaver}/leave`, { holds: [] });
      const again = (await poll(s, next)).json.claimed[0];
      // The same dispatch: nothing was sent, so that even a step that may be sent once needs nobody's decision.
      expect([again.dispatchId, again.attempt]).toEqual([given.dispatchId, { logical: 1, engine: 1 }]);
      await s.post(`/v1/workers/${next}/results`, { results: [{ ...held(again), ok: true, result: { sent: "ann" } }] });
      await expect(handle.result()).resolves.toEqual({ sent: "ann" });
    },
  );

  it("a worker that leaves and says what it holds may have begun it: a step that may be sent once waits for a person", async () => {
    const { wf, task } = mailing({ once: true });
    const s = await start(wf);
    const id = await registered(s, task);
    const handle = await s.app.start(wf, { to: "ann" }, { id: "one" });
    const claim = (await poll(s, id)).json.claimed[0];
    await s.post(`/v1/workers/${id}/leave`, { holds: [held(claim)] });
    await expect.poll(async () => (await handle.status()).waiting, { timeout: 30_000 }).toBe("decision");
  });

  it("a worker with a url takes no store and no secrets, and a token needs a url", async () => {
    const t = task({ name: `odd-${++n}`, input: z.number() }, (i) => i, { queue: "q" });
    await expect(worker({ url: "http://127.0.0.1:1", store: "memory:", tasks: [t], queues: { q: {} } })).rejects.toMatchObject({
      code: "PAWL5001",
    });
    await expect(worker({ url: "http://127.0.0.1:1", secrets: { bank: "s3cret" }, tasks: [t], queues: { q: {} } })).rejects.toMatchObject({
      code: "PAWL5001",
      message: expect.stringMatching(/cannot keep secrets out of results/),
    });
    await expect(worker({ token: "x", tasks: [t], queues: { q: {} } })).rejects.toMatchObject({ code: "PAWL5001" });
  });
});

describe.each(storeNames)("a Python worker on %s", (name) => {
  it("runs steps of two runs, is killed in the middle of one, and another one runs it", { timeout: 120_000 }, async ({ skip }) => {
    const dir = mkdtempSync(join(tmpdir(), "pawl-python-"));
    closing.push(() => rmSync(dir, { recursive: true, force: true }));
    if (name === "mysql" && skipsWithoutMariadb()) return skip();
    const database = await openTestDatabase(name, dir);
    closing.push(() => database.remove());
    const { wf, task } = mailing();
    const s = await start(wf, database.url);
    const ledger = join(dir, "sent");
    writeFileSync(ledger, "");
    writeFileSync(
      join(dir, "mailer.py"),
      [
        `import os, sys, time`,
        `sys.path.insert(0, ${JSON.stringify(samples)})`,
        `from pawl_worker import Worker`,
        `def send(input, step):`,
        `    with open(${JSON.stringify(ledger)}, "a") as f: f.write(input["to"] + "\\n")`,
        `    if input["to"] == "slow" and os.environ["SLOW"] == "1": time.sleep(600)`,
        `    return {"sent": input["to"]}`,
        `Worker(url=${JSON.stringify(s.url)}, queues={"mails": 2}, poll_seconds=2).task(${JSON.stringify(task)}, send).run()`,
      ].join("\n"),
    );
    const python = (slow: string): ChildProcess => {
      const child = spawn("python3", ["-B", join(dir, "mailer.py")], { env: { ...process.env, SLOW: slow }, stdio: "inherit" });
      closing.push(() => child.kill("SIGKILL"));
      return child;
    };
    const first = python("1");
    await expect(s.app.start(wf, { to: "ann" }, { id: "ann" }).then((h) => h.result())).resolves.toEqual({ sent: "ann" });
    const slow = await s.app.start(wf, { to: "slow" }, { id: "slow" });
    await expect.poll(() => readFileSync(ledger, "utf8"), { timeout: 30_000 }).toBe("ann\nslow\n");
    first.kill("SIGKILL");
    python("0");
    await expect(slow.result()).resolves.toEqual({ sent: "slow" });
    expect(readFileSync(ledger, "utf8")).toBe("ann\nslow\nslow\n");
  });
});
