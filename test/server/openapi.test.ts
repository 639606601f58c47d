// What /openapi.json says is what the server does: a client in another language is made from the document alone and works, and
// works.
import { execFile, execFileSync } from "node:child_process";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { approval, order, serve, type Served } from "./serve.ts";

const python = has("python3");

function has(program: string): boolean {
  try {
    execFileSync(program, ["--version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

interface Said {
  readonly what: string;
  readonly status: number;
  // Tests look into answers freely.
  // oxlint-disable-next-line no-explicit-any
  readonly answer: any;
}

function runPython(url: string): Promise<readonly Said[]> {
  const script = new URL("openapi_client.py", import.meta.url).pathname;
  return new Promise((resolve, reject) => {
    execFile("python3", [script, url], (e, out, err) => {
      if (e !== null) reject(new Error(`${err}\n${out}`));
      else
        resolve(
          out
            .trim()
            .split("\n")
            .map((line) => JSON.parse(line) as Said),
        );
    });
  });
}

describe("/openapi.json", () => {
  let s: Served;
  beforeAll(async () => {
    s = await serve({ workflows: [order, approval] });
  });
  afterAll(() => s.close());

  it.skipIf(!python)("a Python client made from the document starts, signals twice, waits and cancels", async () => {
    const said = new Map((await runPython(s.url)).map((line) => [line.what, line]));
    expect(said.get("start")).toMatchObject({ status: 201, answer: { workflowId: "py/1", created: true } });
    expect(said.get("again")).toMatchObject({ status: 200, answer: { created: false, runId: said.get("start")?.answer.runId } });
    expect(said.get("signal")?.answer).toMatchObject({ replayed: false, result: { signalId: "s-1", accepted: true } });
    expect(said.get("signal again")?.answer).toMatchObject({ replayed: true, result: said.get("signal")?.answer.result });
    expect(said.get("result")).toMatchObject({ status: 200, answer: { status: "COMPLETED", result: { got: { by: "ann" } } } });
    expect(said.get("list")?.answer.items).toMatchObject([{ workflowId: "py/1" }]);
    expect([200, 202]).toContain(said.get("cancel")?.status);
    expect(said.get("cancelled")).toMatchObject({ status: 200, answer: { status: "CANCELLED" } });
    expect(said.get("refused runs.get")).toMatchObject({ status: 404, answer: { page: "PAWL4001" } });
    expect(said.get("refused runs.terminate")).toMatchObject({ status: 422, answer: { page: "PAWL4090" } });
    expect(said.get("refused runs.start")).toMatchObject({ status: 422, answer: { errors: [{ pointer: "/workflow" }] } });
  });
});
