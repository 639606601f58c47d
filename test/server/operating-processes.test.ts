// What an operator does at one process reaches the engines of others: a server without an engine, and engines that are processes of their own, on one
// store. That something did not happen is seen by what happened after it.
import { afterEach, expect, it } from "vitest";
import { CliFolder, killCommands, quickFile, type Running } from "../cli/pawl-process.ts";

afterEach(killCommands);

const other = quickFile.replace('name: "quick"', 'name: "other"').replace("export const quick", "export const other");

it("a pause and a drain that are asked for at one process hold in the engine of another", { timeout: 90_000 }, async () => {
  const folder = new CliFolder({ "quick.ts": quickFile, "other.ts": other });
  const tenant = ["--tenant", "a/b/c", "--listen", "127.0.0.1:0", "--drain-delay", "0s"];
  const begin = async (...args: string[]): Promise<{ running: Running; url: string }> => {
    const running = folder.start(["start", ...args, ...tenant, "--json"], { PAWL_LOG: "info" });
    let out = "";
    running.child.stdout?.on("data", (d: Buffer) => (out += String(d)));
    await running.saw('"url"');
    return { running, url: (JSON.parse(out.split("\n")[0]!) as { url: string }).url };
  };
  const files = ["./quick.ts", "./other.ts"];
  const { url } = await begin("--role", "api", "--open");
  const { running: engine } = await begin(...files, "--role", "engine");
  const ask = async (path: string, body?: unknown): Promise<Record<string, unknown>> => {
    const post = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
    return (await (await fetch(`${url}/v1${path}`, body === undefined ? {} : post)).json()) as never;
  };
  const start = (workflow: string, id: string, wait?: number): Promise<Record<string, unknown>> =>
    ask("/runs", { workflow, id, input: { text: "x" }, ...(wait === undefined ? {} : { wait }) });
  const until = async (path: string, fits: (json: Record<string, unknown>) => boolean): Promise<void> => {
    while (!fits(await ask(path))) await new Promise((resolve) => setTimeout(resolve, 50));
  };
  const engines = async (): Promise<{ engineId: string; alive: boolean }[]> => (await ask("/engines"))["items"] as never;
  await until("/workflows", (json) => (json["items"] as unknown[]).length === 2);
  expect(await start("quick", "q-0", 30)).toMatchObject({ end: { status: "COMPLETED" } });

  await ask("/workflows/quick/pause", { reason: "wrong price" });
  await engine.saw("paused: runs of quick");
  await start("quick", "q-1");
  await until("/runs/q-1", (json) => (json["because"] as { code?: string } | undefined)?.code === "workflow-paused");
  // Begun after it, and done before it: the engine works, and leaves it alone.
  expect(await start("other", "o-1", 30)).toMatchObject({ end: { status: "COMPLETED" } });
  expect(await ask("/runs/q-1")).toMatchObject({ status: "PENDING" });
  await ask("/workflows/quick/resume", {});
  expect(await ask("/runs/q-1/result?wait=30")).toMatchObject({ status: "COMPLETED" });

  const [first] = (await engines()).filter((e) => e.alive);
  await ask(`/engines/${first!.engineId}/drain`, { reason: "replaced" });
  await engine.saw("draining: this engine takes nothing on");
  await start("quick", "q-2");
  // Another engine takes it on: the drained one lives, and leaves it alone.
  const second = await begin(...files, "--role", "engine");
  expect(await ask("/runs/q-2/result?wait=30")).toMatchObject({ status: "COMPLETED" });
  const events = (await ask("/runs/q-2/events"))["items"] as { payload?: { engine?: string } }[];
  expect(events.some((e) => e.payload?.engine === first!.engineId)).toBe(false);
  expect((await engines()).find((e) => e.engineId === first!.engineId)).toMatchObject({ alive: true });
  expect(engine.child.exitCode).toBeNull();
  second.running.child.kill("SIGTERM");
  expect((await second.running.ended).code).toBe(0);
  // With nobody else there it still takes nothing.
  await start("quick", "q-3");
  await begin(...files, "--role", "engine");
  expect(await ask("/runs/q-3/result?wait=30")).toMatchObject({ status: "COMPLETED" });
});
