// The template example as its page tells it: a template that `pawl start` runs without any code, a worker in Python, and an orchestrator that is killed in the
// middle of an order and started again. The charge is counted by what the worker prints.
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { cpSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterEach, expect, it } from "vitest";
import { CliFolder, killCommands, type Running } from "../cli/pawl-process.ts";
import { freePort } from "../cluster/place.ts";

const root = resolve(import.meta.dirname, "../..");
let worker: ChildProcess | undefined;
afterEach(async () => {
  worker?.kill("SIGKILL");
  await killCommands();
});

it("an order of the template survives its orchestrator, and is charged once", async () => {
  const page = readFileSync(join(root, "docs/templates.md"), "utf8");
  for (const command of ["pawl start ./order.json --tenant acme/shop/live --open", "python3 worker.py", "kill -9"])
    expect(page).toContain(command);
  const folder = new CliFolder();
  cpSync(join(root, "examples/template/order.json"), join(folder.dir, "order.json"));
  const listen = `127.0.0.1:${await freePort()}`;
  const url = `http://${listen}`;
  const start = async (): Promise<Running> => {
    const running = folder.start(["start", "./order.json", "--tenant", "acme/shop/live", "--open", "--listen", listen]);
    await running.saw("listening on");
    return running;
  };
  const first = await start();
  let said = "";
  worker = spawn("python3", [join(root, "examples/template/worker.py")], { env: { ...process.env, PAWL_URL: url, CHARGE_SECONDS: "1" } });
  worker.stdout!.on("data", (d: Buffer) => (said += String(d)));
  const made = await fetch(`${url}/v1/runs`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ workflow: "shop/order", id: "o-1", input: { id: "o-1", cents: 500, people: [{ email: "ann@example.org" }] } }),
  });
  expect(made.status).toBe(201);
  while (!said.includes("charging o-1")) await new Promise((done) => setTimeout(done, 20));
  first.child.kill("SIGKILL");
  await once(first.child, "close");
  const second = await start();
  let end: { status?: string; result?: unknown } = {};
  while (end.status === undefined || end.status === "RUNNING")
    end = (await (await fetch(`${url}/v1/runs/o-1/result?wait=20`)).json()) as typeof end;
  expect(end).toMatchObject({ status: "COMPLETED", result: { mail: ["ann@example.org knows of 500"] } });
  expect(said.split("charged o-1").length - 1).toBe(1);
  // A worker can be stopped although no server answers it any more.
  second.child.kill("SIGKILL");
  await once(second.child, "close");
  const stopped = once(worker, "exit");
  worker.kill("SIGTERM");
  expect(await stopped).toEqual([0, null]);
});
