// Files of lines: what is written is read back, packed or not, whatever the lines hold; what was not finished is not there, and
// what was cut short is an error and never a shorter file.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { readLines, writeLines } from "./line-files.ts";

const dir = mkdtempSync(join(tmpdir(), "pawl-lines-"));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

async function all(path: string): Promise<string[]> {
  const lines: string[] = [];
  for await (const line of readLines(path) ?? []) lines.push(line);
  return lines;
}
const odd = ["plain", "", "ü \u2028 \u2029 \u0085 \r \v", "x".repeat(300_000), "日本".repeat(70_000), '{"a":"\\n"}'];

it.each(["a.jsonl", "a.jsonl.gz"])("%s gives back the lines that were written", async (name) => {
  const path = join(dir, name);
  const file = writeLines(path);
  for (const line of odd) await file.write(line);
  expect(existsSync(path)).toBe(false);
  await file.finish();
  expect(await all(path)).toEqual(odd);
  expect(existsSync(`${path}.part`)).toBe(false);
});

it("a file that is abandoned leaves nothing, and one that was there stays until the new one is whole", async () => {
  const path = join(dir, "b.jsonl");
  const first = writeLines(path);
  await first.write("old");
  await first.finish();
  const second = writeLines(path);
  await second.write("new");
  expect(await all(path)).toEqual(["old"]);
  await second.abandon();
  expect([await all(path), existsSync(`${path}.part`)]).toEqual([["old"], false]);
});

it("a packed file that was cut short is an error", async () => {
  const path = join(dir, "c.jsonl.gz");
  const file = writeLines(path);
  for (let n = 0; n < 1_000; n++) await file.write(`line ${n} ${Math.sin(n)}`);
  await file.finish();
  writeFileSync(path, readFileSync(path).subarray(0, 5_000));
  await expect(all(path)).rejects.toThrow("unexpected end of file");
  expect(readLines(join(dir, "none"))).toBeUndefined();
});

it("a place that cannot be written to is an error at once, before anybody has done anything for the file", () => {
  expect(() => writeLines(join(dir, "no", "such", "folder.jsonl"))).toThrow("ENOENT");
});
