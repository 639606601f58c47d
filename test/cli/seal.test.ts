// Keys, seals and witnesses as commands: a key is made, runs are sealed with it by an environment variable, a rewritten row is
// found under the key and by the witness, retention signs for what it removes, and what cannot be used says what to do.
import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { killCommands, CliFolder, quickFile } from "./pawl-process.ts";
import { proves } from "../support/proves.ts";

afterEach(killCommands);

const key = { PAWL_SEAL_KEY: "seal.pem" };

it(
  "a store that is sealed and witnessed: all is well, then a run is taken away and its witnesses say so",
  { ...proves("K22"), timeout: 180_000 },
  async () => {
    const place = new CliFolder({ "quick.ts": quickFile });
    const made = await place.pawl("keys", "new", "seal.pem");
    expect([made.code, made.out]).toEqual([0, expect.stringMatching(/^key [0-9a-f]{16}\n-----BEGIN PUBLIC KEY-----\n/)]);
    expect(made.out + made.err).not.toContain("PRIVATE");
    expect(statSync(join(place.dir, "seal.pem")).mode & 0o777).toBe(0o600);
    for (const id of ["q-1", "q-2", "q-3"]) expect((await place.start(["run", "./quick.ts", "--id", id], key).ended).code).toBe(0);
    expect((await place.pawl("events", "q-1")).out).toMatch(/pawl\.HeadSealed {2}key [0-9a-f]{16}/);

    expect((await place.pawl("witness", "heads.jsonl", "--once")).out).toBe("3 heads written to heads.jsonl\n");
    expect((await place.pawl("witness", "heads.jsonl", "--once")).out).toBe("0 heads written to heads.jsonl\n");
    writeFileSync(join(place.dir, "heads.jsonl"), '{"runId":"cut', { flag: "a" }); // its machine lost power in the middle of a line
    expect((await place.pawl("witness", "heads.jsonl", "--once")).out).toBe("0 heads written to heads.jsonl\n");
    expect(readFileSync(join(place.dir, "heads.jsonl"), "utf8").trim().split("\n")).toHaveLength(3);

    const well = await place.pawl("doctor", "--verify", "--key", "seal.pem.pub", "--witness", "heads.jsonl");
    expect([well.code, well.out]).toEqual([
      0,
      expect.stringMatching(/3 seals of key [0-9a-f]{16}: 3 runs are sealed to their end, none is missing\n$/),
    ]);
    await place.pawl("evidence", "q-1", "-o", "q.zip");
    const verified = await place.pawl("verify", "q.zip", "--key", "seal.pem.pub", "--witness", "heads.jsonl");
    expect([verified.code, verified.out]).toEqual([0, expect.stringContaining("ok    seals")]);
    expect(verified.out).toContain("ok    witness");
    expect(verified.out).not.toContain("not sealed:");

    const { runId } = (await place.json("inspect", "q-2")) as { runId: string };
    for (const table of ["events", "effects", "runs"]) await place.tamper(`delete from pawl_${table} where run_id = '${runId}'`);
    expect((await place.pawl("doctor", "--verify")).code).toBe(0);
    const sealed = await place.pawl("doctor", "--verify", "--key", "seal.pem.pub", "--json");
    expect([sealed.code, (JSON.parse(sealed.out) as { findings: unknown[] }).findings]).toEqual([
      9,
      [expect.objectContaining({ table: "seals", field: "removed" })],
    ]);
    const seen = await place.pawl("doctor", "--verify", "--witness", "heads.jsonl", "--json");
    expect([seen.code, (JSON.parse(seen.out) as { findings: unknown[] }).findings]).toEqual([
      9,
      [expect.objectContaining({ table: "witness", runId, field: "run" })],
    ]);

    await place.tamper(
      "update pawl_runs set head_link = 'f' || substr(head_link, 2), head_seq = head_seq where workflow_id = 'q-1' and head_link not like 'f%'",
    );
    await place.tamper("update pawl_runs set head_link = 'e' || substr(head_link, 2) where workflow_id = 'q-3'");
    const lost = await place.pawl("witness", "heads.jsonl", "--once", "--json");
    expect(lost.code).toBe(9);
    expect((JSON.parse(lost.out) as { lost: number }).lost).toBeGreaterThan(0);
  },
);

it(
  "gc removes sealed logs only with the key, and the check knows that they expired; keys rotate",
  { ...proves("K22"), timeout: 180_000 },
  async () => {
    const place = new CliFolder({ "quick.ts": quickFile });
    await place.pawl("keys", "new", "seal.pem");
    expect((await place.start(["run", "./quick.ts", "--id", "q-1"], key).ended).code).toBe(0);
    const kept = await place.pawl("gc", "--keep-runs", "0ms", "--yes");
    expect(kept.out).toContain("1 kept: they are sealed");
    const rotated = await place.pawl("keys", "rotate", "seal.pem", "--json");
    const { keyId, replaced } = JSON.parse(rotated.out) as { keyId: string; replaced: string };
    const { keyIds } = (await place.json("keys", "list", "seal.pem.pub")) as { keyIds: string[] };
    expect(keyIds).toEqual([replaced, keyId]);
    expect((await place.start(["run", "./quick.ts", "--id", "q-2"], key).ended).code).toBe(0);
    const gone = await place.start(["gc", "--keep-runs", "0ms", "--yes"], key).ended;
    expect([gone.code, gone.out]).toEqual([0, expect.stringContaining("logs of 2")]);
    const well = await place.pawl("doctor", "--verify", "--key", "seal.pem.pub");
    expect([well.code, well.out]).toEqual([0, expect.stringContaining("none is missing")]);
  },
);

it("what cannot be used is refused with its code and what to do, and nothing is written", { timeout: 120_000 }, async () => {
  const place = new CliFolder({ "quick.ts": quickFile, "text.txt": "no key" });
  await place.pawl("keys", "new", "seal.pem");
  await place.pawl("keys", "new", "open.pem");
  chmodSync(join(place.dir, "open.pem"), 0o644);
  const cases: readonly (readonly [readonly string[], Record<string, string>, string])[] = [
    [["keys", "new", "seal.pem"], {}, "PAWL4060"],
    [["keys", "list", "gone.pem"], {}, "PAWL4061"],
    [["keys", "rotate", "text.txt"], {}, "PAWL4063"],
    [["keys", "burn", "seal.pem"], {}, "PAWL4011"],
    [["keys", "list", "text.txt"], {}, "PAWL4064"],
    [["run", "./quick.ts", "--id", "a"], { PAWL_SEAL_KEY: "gone.pem" }, "PAWL4061"],
    [["run", "./quick.ts", "--id", "a"], { PAWL_SEAL_KEY: "open.pem" }, "PAWL4063"],
    [["run", "./quick.ts", "--id", "a"], { PAWL_SEAL_KEY: "." }, "PAWL4062"],
    [["witness", "text.txt", "--once"], {}, "PAWL5006"],
  ];
  const ends = await Promise.all(cases.map(([args, env]) => place.start(args, env).ended));
  cases.forEach(([args, , code], i) =>
    expect([ends[i]!.code !== 0, ends[i]!.err.includes(code)], `${args.join(" ")}: ${ends[i]!.err}`).toEqual([true, true]),
  );
  expect((await place.start(["run", "./quick.ts", "--id", "a"], key).ended).code).toBe(0);
  writeFileSync(join(place.dir, "heads.jsonl"), "not a head\n");
  for (const args of [
    ["witness", "heads.jsonl", "--once"],
    ["doctor", "--verify", "--witness", "heads.jsonl"],
    ["doctor", "--verify", "--witness", "gone.jsonl"],
  ]) {
    const e = await place.pawl(...args);
    expect([e.code, e.err.includes("PAWL4065")], e.err).toEqual([2, true]);
  }
  expect((await place.pawl("doctor", "--key", "seal.pem.pub")).code).toBe(2);
  expect(existsSync(join(place.dir, "gone.pem"))).toBe(false);
});
