// Seals and witnesses as a new user meets them: a run that was taken away, a key in a folder that is not there yet, a run that
// ended without the key, the wrong file. Each answer must say what is so and what to do.
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { proves } from "../support/proves.ts";
import { compiledTree } from "../support/compiled-tree.ts";
import { killCommands, CliFolder, quickFile } from "./pawl-process.ts";

afterEach(killCommands);

const waiting = `
import { workflow } from "pawl";
export default workflow({ name: "waiting" }, async (ctx) => {
  await ctx.sleep("pause", "1d");
});
`;
const key = { PAWL_SEAL_KEY: "keys/seal.pem" };

async function takeAway(place: CliFolder, id: string): Promise<string> {
  const { runId } = (await place.json("inspect", id)) as { runId: string };
  await place.tamper(...["events", "runs"].map((table) => `delete from pawl_${table} where run_id = '${runId}'`));
  return runId;
}
/** A run that waits for a day; its engine is gone. */
async function unended(place: CliFolder, id: string, env: Record<string, string> = {}): Promise<void> {
  const engine = place.start(["run", "./waiting.ts", "--id", id], env);
  for (;;) {
    const { out } = await place.pawl("events", id);
    if (out.includes("pause")) break;
  }
  engine.child.kill("SIGKILL");
  await engine.ended;
}

it("one look of the witness reports an ended run and a live run that were removed", { ...proves("K22"), timeout: 180_000 }, async () => {
  const place = new CliFolder({ "quick.ts": quickFile, "waiting.ts": waiting });
  for (const id of ["q-1", "q-2"]) expect((await place.pawl("run", "./quick.ts", "--id", id)).code).toBe(0);
  await unended(place, "w-1");
  expect((await place.pawl("witness", "heads.jsonl", "--once")).out).toBe("3 heads written to heads.jsonl\n");
  const seen = readFileSync(join(place.dir, "heads.jsonl"), "utf8");

  const ended = await takeAway(place, "q-1");
  const one = await place.pawl("witness", "heads.jsonl", "--once");
  expect([one.code, one.out]).toEqual([9, "0 heads written to heads.jsonl, 1 that were seen before are gone\n"]);
  expect(one.err).toContain(`run ${ended}: it was seen up to event`);
  expect(one.err).toContain("is not in the store any more");

  const live = await takeAway(place, "w-1");
  const two = await place.pawl("witness", "heads.jsonl", "--once");
  expect([two.code, two.err.includes(ended), two.err.includes(live)]).toEqual([9, true, true]);
  const json = await place.pawl("witness", "heads.jsonl", "--once", "--json");
  expect([json.code, JSON.parse(json.out)]).toEqual([9, { file: "heads.jsonl", heads: 0, lost: 2 }]);
  expect(readFileSync(join(place.dir, "heads.jsonl"), "utf8")).toBe(seen);
});

it("a run that retention removed is no loss under the key that signed for it", { ...proves("K22"), timeout: 180_000 }, async () => {
  const place = new CliFolder({ "quick.ts": quickFile });
  await place.pawl("keys", "new", "keys/seal.pem");
  expect((await place.start(["run", "./quick.ts", "--id", "q-1"], key).ended).code).toBe(0);
  expect((await place.pawl("witness", "heads.jsonl", "--once")).code).toBe(0);
  const gone = await place.start(["gc", "--keep-runs", "0ms", "--keep-keys", "0ms", "--yes"], key).ended;
  expect(gone.code, gone.err).toBe(0);
  expect(((await place.json("ls")) as { runs: unknown[] }).runs ?? []).toEqual([]);
  const without = await place.pawl("witness", "heads.jsonl", "--once");
  expect([without.code, without.err.includes("--key")], without.err).toEqual([9, true]);
  const signed = await place.pawl("witness", "heads.jsonl", "--once", "--key", "keys/seal.pem.pub");
  expect([signed.code, signed.out], signed.err).toEqual([0, "0 heads written to heads.jsonl\n"]);
});

it("pawl keys new makes the folder of the key, for its owner alone", { timeout: 60_000 }, async () => {
  const place = new CliFolder({ "file.txt": "" });
  const made = await place.pawl("keys", "new", "./keys/deep/seal.pem");
  expect(made.code, made.err).toBe(0);
  const mode = (...path: string[]): number => statSync(join(place.dir, ...path)).mode & 0o777;
  expect([mode("keys"), mode("keys", "deep"), mode("keys", "deep", "seal.pem")]).toEqual([0o700, 0o700, 0o600]);
  mkdirSync(join(place.dir, "open"), { mode: 0o755 });
  expect((await place.pawl("keys", "new", "./open/seal.pem")).code).toBe(0);
  expect(mode("open")).toBe(0o755);
  const blocked = await place.pawl("keys", "new", "./file.txt/seal.pem");
  expect([blocked.code, blocked.err.includes("PAWL4062"), blocked.err.includes("folder")], blocked.err).toEqual([2, true, true]);
});

it("pawl keys with an unknown action names the actions", { timeout: 60_000 }, async () => {
  const place = new CliFolder();
  for (const args of [["frob"], ["frob", "seal.pem"], []]) {
    const e = await place.pawl("keys", ...args);
    expect([e.code, /new.*list.*rotate/.test(e.err)], e.err).toEqual([2, true]);
  }
  expect((await place.pawl("keys", "new")).err).toContain("pawl keys new <file>");
});

it("a run that ended without the key is counted as ended, and the cause is named", { ...proves("K22"), timeout: 180_000 }, async () => {
  const place = new CliFolder({ "quick.ts": quickFile, "waiting.ts": waiting });
  await place.pawl("keys", "new", "keys/seal.pem");
  expect((await place.start(["run", "./quick.ts", "--id", "q-1"], key).ended).code).toBe(0);
  await unended(place, "w-1", key);
  expect((await place.pawl("run", "./quick.ts", "--id", "q-2")).code).toBe(0);
  const e = await place.pawl("doctor", "--verify", "--key", "keys/seal.pem.pub");
  expect(e.code).toBe(9);
  expect(e.out).toContain("1 run has not ended");
  expect(e.out).toContain("1 run ended without a seal");
  expect(e.out).toContain("PAWL_SEAL_KEY");
  expect(e.out).not.toContain("--repair");
  const json = JSON.parse((await place.pawl("doctor", "--verify", "--key", "keys/seal.pem.pub", "--json")).out) as { seals: unknown };
  expect(json.seals).toMatchObject({ ended: 1, live: 1, unsealed: 1, before: 0 });
});

it("what is no evidence, and a private key, are refused where evidence is checked", { timeout: 120_000 }, async () => {
  const place = new CliFolder({ "quick.ts": quickFile, "empty.zip": "" });
  await place.pawl("keys", "new", "keys/seal.pem");
  expect((await place.start(["run", "./quick.ts", "--id", "q-1"], key).ended).code).toBe(0);
  await place.pawl("evidence", "q-1", "-o", "q.zip");
  for (const file of ["quick.ts", "empty.zip", "keys"]) {
    const e = await place.pawl("verify", file);
    expect([e.code, e.out, e.err.includes("PAWL4067")], e.err).toEqual([2, "", true]);
  }
  const zip = readFileSync(join(place.dir, "q.zip"));
  writeFileSync(join(place.dir, "cut.zip"), zip.subarray(0, zip.length >> 1));
  expect((await place.pawl("verify", "cut.zip")).code).toBe(9);
  for (const args of [
    ["verify", "q.zip"],
    ["doctor", "--verify"],
    ["witness", "heads.jsonl", "--once"],
  ]) {
    const e = await place.pawl(...args, "--key", "keys/seal.pem");
    expect([e.code, e.out, e.err.includes("PAWL4066"), e.err.includes("keys/seal.pem.pub")], e.err).toEqual([2, "", true, true]);
    expect((await place.pawl(...args, "--key", "keys/seal.pem.pub")).code).toBe(0);
  }
  expect((await place.pawl("keys", "list", "keys/seal.pem")).code).toBe(0);
  const alone = (...args: string[]) =>
    spawnSync(process.execPath, [join(compiledTree(), "src/verify.js"), ...args], { cwd: place.dir, encoding: "utf8" });
  for (const args of [["quick.ts"], ["q.zip", "--key", "keys/seal.pem"]])
    expect([alone(...args).status, alone(...args).stdout]).toEqual([2, ""]);
  expect(alone("q.zip", "--key", "keys/seal.pem.pub").status).toBe(0);
});

it(
  "doctor --verify says that --tenant does not narrow it; a witness file that cannot be written says so",
  { timeout: 60_000 },
  async () => {
    const place = new CliFolder({ "quick.ts": quickFile, "file.txt": "" });
    expect((await place.pawl("run", "./quick.ts", "--id", "q-1")).code).toBe(0);
    const e = await place.pawl("doctor", "--verify", "--tenant", "acme");
    expect([e.code, e.out.startsWith("1 run, "), e.err.includes("every tenant")], e.out + e.err).toEqual([0, true, true]);
    expect((await place.pawl("doctor", "--verify")).err).not.toContain("every tenant");
    for (const file of ["gone/heads.jsonl", "file.txt/heads.jsonl"]) {
      const w = await place.pawl("witness", file, "--once");
      expect([w.code, w.err.includes("PAWL4068"), w.err.includes("folder")], w.err).toEqual([2, true, true]);
    }
  },
);
