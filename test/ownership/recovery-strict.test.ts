// What an engine does at its start about live runs that no code here serves: by default it leaves them to others, "strict" refuses before anything is touched, "skip"
// starts and says of each run once that it was left. On every store. Nobody can ask for any of it over HTTP, and no answer there names such a run.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { connect } from "../../src/client.ts";
import { engine, PawlError, workflow, type EngineOpts } from "../../src/index.ts";
import { openEngine } from "../../src/client/engine.ts";
import { operations } from "../../src/api/operations.ts";
import { server } from "../../src/server.ts";
import type { FullStore } from "../../src/store/full-store.ts";
import { CliFolder, killCommands, orderFile, quickFile } from "../cli/pawl-process.ts";
import { proves } from "../support/proves.ts";
import { anySchema } from "../support/test-cluster.ts";
import { testStores, type TestStore } from "../support/test-store.ts";

const known = workflow({ name: "known", signals: { go: anySchema() } }, (ctx) => ctx.receive("go"));
const mail = workflow({ name: "mail", version: "2", signals: { go: anySchema() } }, (ctx) => ctx.receive("go"));

describe.each(testStores)("recovery on %s", (_, open) => {
  let b: TestStore;
  const calls: string[] = [];
  beforeEach(async () => {
    b = await open();
    calls.length = 0;
    const { engine: first } = await b.engine({ workflows: [known, mail] });
    await first.start(known, undefined, { id: "k-1" });
    for (const id of ["m-secret-1", "m-secret-2"]) await first.start(mail, undefined, { id });
    await first.stop();
  });
  afterEach(() => b.close());

  /** What an engine would change at its start. */
  const spied = (): FullStore =>
    new Proxy(b.store, {
      get: (target, verb: keyof FullStore) => {
        const member = target[verb];
        if (typeof member !== "function") return member;
        return (...q: never[]): unknown => {
          calls.push(verb);
          return Reflect.apply(member, target, q);
        };
      },
    });
  const opening = async (o: EngineOpts, store: FullStore = b.store): ReturnType<typeof openEngine> =>
    openEngine({ platform: b.platform, log: () => {}, open: async () => store }, { store, ...o });

  it("a live run of an unknown workflow stops a strict start before anything is resumed, and is named", proves("Q-04"), async () => {
    const e = (await opening({ workflows: [known], recovery: "strict" }, spied()).catch((x: unknown) => x)) as PawlError;
    expect(e).toBeInstanceOf(PawlError);
    expect([e.code, e.outcome]).toEqual(["PAWL5062", "none"]);
    expect(e.message).toContain("2 live runs");
    expect(e.message).toContain("mail version 2 (2)");
    expect(e.message).not.toContain("known");
    expect(e.data).toMatchObject({ runs: 2, workflowIds: "m-secret-2, m-secret-1" });
    expect(calls.filter((c) => ["claim", "registerEngine", "commit", "declareDead", "post"].includes(c))).toEqual([]);
    const rows = await Promise.all(["k-1", "m-secret-1"].map((id) => b.client().get(id)));
    expect(rows.map((r) => r!.owner)).toEqual([undefined, undefined]);
  });

  it("with all the code it starts, and recovers; by default it recovers what it knows and leaves the rest", proves("Q-04"), async () => {
    const strict = await opening({ workflows: [known, mail], recovery: "strict" });
    await strict.client.signal("m-secret-1", "go", 1);
    expect((await strict.client.waitForEnd("m-secret-1")).result).toBe(1);
    await strict.engine.stop();
    const logged: string[] = [];
    const usual = await opening({ workflows: [known], log: (_level, message) => void logged.push(message) });
    await usual.client.signal("k-1", "go", 2);
    expect((await usual.client.waitForEnd("k-1")).result).toBe(2);
    await usual.engine.stop();
    expect((await b.client().get("m-secret-2"))!.status).toBe("RUNNING");
    expect(logged.filter((m) => m.includes("mail"))).toEqual([]);
  });

  it("skip starts, and says of each run that it leaves exactly once that it does", proves("Q-04"), async () => {
    const logged: unknown[] = [];
    const { engine: app, client } = await opening({
      workflows: [known],
      recovery: "skip",
      log: (level, _message, data) =>
        void (data?.["event"] === "recovery.skipped" && logged.push([level, data["workflowId"], data["workflow"]])),
    });
    await client.signal("k-1", "go", 3);
    expect((await client.waitForEnd("k-1")).result).toBe(3);
    expect(logged).toHaveLength(2);
    for (const id of ["m-secret-1", "m-secret-2"]) expect(logged).toContainEqual(["warn", id, "mail"]);
    expect(app.metrics()).toContain("pawl_recovery_skipped_total 2");
    await app.stop();
  });

  it("a version that a strict engine would not continue counts as unknown; any other version does not", proves("Q-04"), async () => {
    const newer = workflow({ name: "mail", version: "3", signals: { go: anySchema() } }, (ctx) => ctx.receive("go"));
    const fine = await opening({ workflows: [known, newer], recovery: "strict" });
    await fine.engine.stop();
    await expect(opening({ workflows: [known, newer], recovery: "strict", onVersionChange: "strict" })).rejects.toMatchObject({
      code: "PAWL5062",
      data: { workflows: "mail version 2 (2)" },
    });
  });
});

it("nobody asks for it over HTTP, and no answer there names a run that was left", proves("Q-04"), async () => {
  const folder = new CliFolder({});
  const store = `sqlite:${folder.dir}/state.db`;
  const first = await engine({ store, workflows: [known, mail], log: () => {} });
  await first.start(mail, undefined, { id: "m-secret-1" });
  await first.stop();
  const app = await engine({ store, workflows: [known], recovery: "skip", log: () => {} });
  const api = await server({ engine: app, auth: "open", log: () => {} });
  const { url } = await api.listen({ port: 0 });
  const texts: string[] = [];
  for (const path of ["/readyz", "/livez", "/metrics", "/v1/engines", "/v1/store", "/v1/workflows", "/v1/errors/PAWL5062"])
    texts.push(await (await fetch(`${url}${path}`)).text());
  expect(texts[2]).toContain("pawl_recovery_skipped_total 1");
  const body = JSON.stringify({ workflow: "known", id: "x", recovery: "skip" });
  const refused = await fetch(`${url}/v1/runs`, { method: "POST", headers: { "content-type": "application/json" }, body });
  expect(refused.status).toBe(422);
  texts.push(await refused.text());
  for (const text of texts) expect(text).not.toContain("m-secret");
  for (const name of Object.keys(operations)) expect(name).not.toMatch(/recover/i);
  const http = await connect({ url });
  expect("recovery" in http).toBe(false);
  await http.close();
  await api.stop();
  await app.stop();
  for (const recovery of ["yes", 1, {}])
    await expect(engine({ store: "memory:", recovery: recovery as never })).rejects.toMatchObject({ code: "PAWL5001" });
});

describe("pawl start --recovery", () => {
  afterEach(killCommands);
  const at = ["--tenant", "a/b/c", "--listen", "127.0.0.1:0", "--open", "--drain-delay", "0s"];

  it("strict refuses with what is missing and exit code 5, and starts with the file", proves("Q-04"), async () => {
    const folder = new CliFolder({ "quick.ts": quickFile, "order.ts": orderFile });
    const begun = folder.start(["start", "./quick.ts", "./order.ts", ...at, "--json"]);
    let out = "";
    begun.child.stdout?.on("data", (d: Buffer) => (out += String(d)));
    await begun.saw('"url"');
    const { url } = JSON.parse(out.split("\n")[0]!) as { url: string };
    const body = JSON.stringify({ workflow: "order", input: { id: "o", cents: 1 }, id: "o-1" });
    expect((await fetch(`${url}/v1/runs`, { method: "POST", headers: { "content-type": "application/json" }, body })).status).toBe(201);
    begun.child.kill("SIGTERM");
    await begun.ended;
    const refused = await folder.start(["start", "./quick.ts", ...at, "--recovery", "strict"]).ended;
    expect(refused.code).toBe(5);
    expect(refused.err).toContain("PAWL5062");
    expect(refused.err).toContain("order version");
    const odd = await folder.start(["start", "./quick.ts", ...at, "--recovery", "maybe"]).ended;
    expect([odd.code, odd.err.includes("shared, strict or skip")]).toEqual([2, true]);
    const whole = folder.start(["start", "./quick.ts", "./order.ts", ...at, "--recovery", "strict"]);
    await whole.saw("listening");
    whole.child.kill("SIGTERM");
    expect((await whole.ended).code).toBe(0);
  });
});
