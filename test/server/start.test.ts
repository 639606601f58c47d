// `pawl start` as a real process: it says where it listens, answers, refuses what is unsafe, and ends in order.
// Every process is ended by SIGTERM, or killed by the test's end.
import { afterEach, describe, expect, it } from "vitest";
import { proves } from "../support/proves.ts";
import { CliFolder, killCommands, orderFile, quickFile, type Running } from "../cli/pawl-process.ts";

afterEach(killCommands);

const tenant = ["--tenant", "acme/shop/live"];
const local = ["--listen", "127.0.0.1:0", "--open"];

/** Starts it and waits for its address. */
async function started(folder: CliFolder, ...args: string[]): Promise<{ readonly running: Running; readonly url: string }> {
  const running = folder.start(["start", ...args, "--json"]);
  let out = "";
  running.child.stdout?.on("data", (d: Buffer) => (out += String(d)));
  await running.saw('"url"');
  return { running, url: (JSON.parse(out.split("\n")[0]!) as { url: string }).url };
}

async function post(url: string, body: unknown): Promise<Response> {
  return fetch(url, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });
}

describe("pawl start", () => {
  it("runs the workflows of files and answers for its tenant, until SIGTERM", async () => {
    const folder = new CliFolder({ "quick.ts": quickFile, "order.ts": orderFile });
    const { running, url } = await started(folder, "./quick.ts", "./order.ts", ...tenant, ...local, "--drain-delay", "0s");
    const made = await post(`${url}/v1/runs`, { workflow: "quick", input: { text: "x" }, id: "q-1", wait: 30 });
    expect(made.status).toBe(200);
    expect(await made.json()).toMatchObject({ end: { status: "COMPLETED", result: { first: 1, input: { text: "x" } } } });
    expect(await (await fetch(`${url}/v1/me`)).json()).toMatchObject({ tenant: "acme/shop/live" });
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
    running.child.kill("SIGTERM");
    expect((await running.ended).code).toBe(0);
    const kept = await folder.json("inspect", "q-1", "--tenant", "acme/shop/live");
    expect(JSON.stringify(kept)).toContain("COMPLETED");
  });

  it("fires the schedules that a file exports, and says so", async () => {
    const file = `import { schedule, workflow } from "pawl";
const beat = workflow({ name: "beat" }, async () => "done");
export const tick = schedule("tick", { every: "1s" }, beat);
`;
    const folder = new CliFolder({ "beat.ts": file });
    const { running, url } = await started(folder, "./beat.ts", ...tenant, ...local, "--drain-delay", "0s");
    const asked = async (): Promise<readonly { did: string }[]> =>
      ((await (await fetch(`${url}/v1/schedules/tick`)).json()) as { fires?: { did: string }[] }).fires ?? [];
    await expect.poll(asked, { timeout: 60_000 }).toContainEqual(expect.objectContaining({ did: "started" }));
    running.child.kill("SIGTERM");
    expect((await running.ended).code).toBe(0);
  });

  it("serves for the drain delay after SIGTERM, says that it is not ready, and answers what waits", async () => {
    const folder = new CliFolder({ "order.ts": orderFile });
    const { running, url } = await started(folder, "./order.ts", ...tenant, ...local, "--drain-delay", "1500ms");
    await post(`${url}/v1/runs`, { workflow: "order", input: { id: "o", cents: 1 }, id: "o-1" });
    const waiting = fetch(`${url}/v1/runs/o-1/result?wait=30`);
    running.child.kill("SIGTERM");
    await running.saw("stopping");
    const probe = await fetch(`${url}/readyz`);
    expect([probe.status, ((await probe.json()) as { draining: boolean }).draining]).toEqual([503, true]);
    expect((await post(`${url}/v1/runs`, { workflow: "order", input: { id: "p", cents: 1 }, id: "o-2" })).status).toBe(201);
    expect((await waiting).status).toBe(202);
    expect((await running.ended).code).toBe(0);
  });

  it("refuses nothing during the drain delay under load, ends with 0, and its callers continue at the next process", async () => {
    const folder = new CliFolder({ "quick.ts": quickFile });
    const delayMs = 1_500;
    const { running, url } = await started(folder, "./quick.ts", ...tenant, ...local, "--drain-delay", `${delayMs}ms`);
    const { port } = new URL(url);
    const accepted = new Set<string>();
    const odd: (number | string)[] = [];
    let signalled = Number.POSITIVE_INFINITY;
    let firstRefusal = Number.POSITIVE_INFINITY;
    const caller = async (n: number): Promise<string> => {
      for (let i = 0; ; i++) {
        const id = `load-${n}-${i}`;
        try {
          const { status } = await post(`${url}/v1/runs`, { workflow: "quick", id, idempotencyKey: id, ...(n === 0 ? { wait: 30 } : {}) });
          if (status === 200 || status === 201 || status === 202) accepted.add(id);
          else odd.push(status);
        } catch {
          firstRefusal = Math.min(firstRefusal, performance.now());
          return id; // nobody answered: it may or may not have been started
        }
      }
    };
    const callers = [0, 1, 2, 3].map(caller);
    while (accepted.size < 20) await new Promise((resolve) => setTimeout(resolve, 10));
    signalled = performance.now();
    running.child.kill("SIGTERM");
    const unanswered = await Promise.all(callers);
    expect((await running.ended).code).toBe(0);
    expect(odd).toEqual([]);
    expect(firstRefusal - signalled).toBeGreaterThanOrEqual(delayMs);
    const next = await started(folder, "./quick.ts", ...tenant, "--listen", `127.0.0.1:${port}`, "--open", "--drain-delay", "0s");
    for (const id of unanswered) {
      const again = await post(`${next.url}/v1/runs`, { workflow: "quick", id, idempotencyKey: id });
      expect([200, 201]).toContain(again.status);
    }
    for (const id of accepted) {
      const end = await fetch(`${next.url}/v1/runs/${id}/result?wait=30`);
      expect([id, end.status, ((await end.json()) as { status: string }).status]).toEqual([id, 200, "COMPLETED"]);
    }
  });

  it("without an engine it records starts for engines elsewhere, and with --role engine it answers probes only", async () => {
    const folder = new CliFolder({ "quick.ts": quickFile });
    const api = await started(folder, ...tenant, ...local);
    const engine = await started(folder, "./quick.ts", "--role", "engine", ...tenant, ...local);
    expect((await fetch(`${engine.url}/livez`)).status).toBe(200);
    expect((await fetch(`${engine.url}/v1/runs`)).status).toBe(404);
    const ended = await post(`${api.url}/v1/runs`, { workflow: "quick", id: "q-2", wait: 30 });
    expect(await ended.json()).toMatchObject({ served: true, end: { status: "COMPLETED" } });
    expect(((await (await fetch(`${api.url}/v1/engines`)).json()) as { items: unknown[] }).items).toHaveLength(1);
  });

  it("a port that is in use is named, with the code that pawl dev has for it", async () => {
    const folder = new CliFolder({ "quick.ts": quickFile });
    const { running, url } = await started(folder, "./quick.ts", ...tenant, ...local, "--drain-delay", "0s");
    const at = new URL(url).host;
    const [second] = await folder.all([["start", "./quick.ts", ...tenant, "--listen", at, "--open"]]);
    expect([second!.code, second!.err]).toEqual([2, expect.stringContaining(`PAWL5061 PortInUse: another process listens on ${at}`)]);
    running.child.kill("SIGTERM");
    expect((await running.ended).code).toBe(0);
  });

  it("refuses to guess a tenant, to serve everybody, and options that make no sense", proves("P-47", "AX-34"), async () => {
    const folder = new CliFolder({ "quick.ts": quickFile });
    const refused: [string[], string][] = [
      [["start", "./quick.ts", ...local], "--tenant"],
      [["start", "./quick.ts", ...tenant, "--listen", "127.0.0.1:0"], "PAWL5040"],
      [["start", ...tenant, "--listen", "0.0.0.0:7350"], "PAWL5040"],
      [["start", ...tenant, "--listen", "0.0.0.0:7350", "--open"], "loopback"],
      [["start", ...tenant, ...local, "--role", "boss"], "--role"],
      [["start", ...tenant, ...local, "--role", "all"], "./order.ts"],
      [["start", ...tenant, "--open", "--listen", "nowhere"], "--listen"],
      [["start", ...tenant, ...local, "--tls-cert", "c.pem"], "--tls-key"],
      [["start", ...tenant, ...local, "--trust-proxy", "everybody"], "everybody"],
      [["start", "./missing.ts", ...tenant, ...local], "missing.ts"],
    ];
    const ends = await folder.all(refused.map(([args]) => args));
    for (const [i, { code, err }] of ends.entries()) {
      expect(err, refused[i]![0].join(" ")).toContain(refused[i]![1]);
      expect(code, err).toBe(2);
    }
  });
});
