// The format of an export, line by line: kept lines are read as they were, and whatever is missing, changed or added is found
// before anything of the file is used.
import { describe, expect, it } from "vitest";
import { sha256Hex } from "../../platform/crypto/hash.ts";
import { ExportDigests, headLine, readExport, runLine, type ExportedRun, type ExportHead } from "./export-file.ts";

const head: ExportHead = {
  pawl: "export",
  version: 1,
  exportId: "e-1",
  mode: "move",
  createdAt: "2026-01-31T12:00:00.000Z",
  scope: "default/default/default",
  from: { store: "sqlite", storeId: "s-1" },
};
const run = (id: string): ExportedRun =>
  ({
    run: { runId: id, tags: { t: "\u2028ü" } },
    events: [{ runSeq: 1, payload: '{"a":1}' }],
    inbox: [],
    views: { 2: "b", 1: "a" },
    hold: null,
  }) as never;

function file(): string[] {
  const digests = new ExportDigests();
  return [headLine(head), runLine(run("a"), digests), runLine(run("b"), digests), digests.endLine()];
}
async function* given(lines: readonly string[]): AsyncGenerator<string> {
  yield* lines;
}
async function read(lines: readonly string[]): Promise<{ head: ExportHead | undefined; runs: ExportedRun[]; events: number }> {
  let found: ExportHead | undefined;
  const runs: ExportedRun[] = [];
  const digests = await readExport(
    given(lines),
    (h) => (found = h),
    (r) => void runs.push(r),
  );
  return { head: found, runs, events: digests.events };
}

describe("an export's lines", () => {
  it("are a head, a run each with the digest of its text, and an end that counts them", async () => {
    const [first, a, , end] = file();
    const text = JSON.stringify(run("a"));
    expect(first).toBe(JSON.stringify(head));
    expect(a).toBe(`{"sha256":"${sha256Hex(text)}","run":${text}}`);
    const all = [run("a"), run("b")].reduce((d, r) => sha256Hex(`${d}\n${sha256Hex(JSON.stringify(r))}`), "");
    expect(JSON.parse(end ?? "")).toEqual({ end: true, runs: 2, events: 2, sha256: all });
    expect(await read(file())).toEqual({ head, runs: [run("a"), run("b")], events: 2 });
  });

  const [h = "", a = "", b = "", end = ""] = file();
  it.each([
    ["nothing at all", []],
    ["no end", [h, a, b]],
    ["a run less", [h, a, end]],
    ["a run more", [h, a, b, b, end]],
    ["two runs in another order", [h, b, a, end]],
    ["a changed payload", [h, a.replace(String.raw`{\"a\":1}`, String.raw`{\"a\":2}`), b, end]],
    ["a changed digest", [h, a.replace(/sha256":"./, 'sha256":"_'), b, end]],
    ["a line cut short", [h, a.slice(0, -5), b, end]],
    ["something after the end", [h, a, b, end, a]],
    ["an end of other counts", [h, a, b, end.replace('"runs":2', '"runs":3')]],
    ["another kind of file", ['{"some":"json"}', a, b, end]],
    ["no JSON", ["pawl", a, b, end]],
    ["a later version", [h.replace('"version":1', '"version":2'), a, b, end]],
  ])("with %s are refused", async (_, lines) => {
    await expect(read(lines)).rejects.toMatchObject({ page: "PAWL4043" });
  });
});
