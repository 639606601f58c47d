// `pawl evidence` and `pawl verify` as commands: a file comes out, another process checks it without the store, and exit codes
// tell true, false and misused apart.
import { generateKeyPairSync } from "node:crypto";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { killCommands, CliFolder, quickFile } from "./pawl-process.ts";

afterEach(killCommands);

it("evidence writes an archive that verify accepts without a store, and refuses when it was touched or signed by another", async () => {
  const place = new CliFolder({ "quick.ts": quickFile });
  const [mine, other] = [generateKeyPairSync("ed25519"), generateKeyPairSync("ed25519")];
  place.write("key.pem", mine.privateKey.export({ format: "pem", type: "pkcs8" }) as string);
  place.write("pub.pem", mine.publicKey.export({ format: "pem", type: "spki" }) as string);
  place.write("other.pem", other.publicKey.export({ format: "pem", type: "spki" }) as string);
  await place.pawl("run", "./quick.ts", "--id", "q-1", "-P", "text=secret");
  const [made, hidden] = await place.all([
    ["evidence", "q-1", "-o", "q.zip", "--sign", "key.pem"],
    ["evidence", "q-1", "-o", "hidden.zip", "--redact", "**.text", "--without-payloads", "--json"],
  ]);
  expect([made?.code, made?.out]).toEqual([0, "q.zip\n"]);
  expect(made?.err).toContain("it includes every payload of the run");
  expect(JSON.parse(hidden?.out ?? "")).toMatchObject({ file: "hidden.zip", signed: false });
  const again = await place.pawl("evidence", "q-1", "-o", "q.zip");
  expect([again.code, again.err.includes("PAWL5007")]).toEqual([5, true]);
  expect((await place.pawl("evidence", "q-1", "-o", "q.zip", "--sign", "key.pem", "--yes")).code).toBe(0);

  await place.pawl("gc", "--keep-payloads", "0ms");
  expect((await place.pawl("evidence", "q-1", "-o", "late.zip")).err).toMatch(/retention removed the payloads on 2.*: it includes none/);

  rmSync(join(place.dir, ".pawl"), { recursive: true });
  const touched = Buffer.from(readFileSync(join(place.dir, "q.zip")));
  touched[touched.indexOf("events.jsonl") + 100]! ^= 1;
  writeFileSync(join(place.dir, "touched.zip"), touched);
  const [good, json, pinned, foreign, bad] = await place.all([
    ["verify", "q.zip", "--signer", "pub.pem"],
    ["verify", "hidden.zip", "--json"],
    ["verify", "hidden.zip", "--signer", "pub.pem"],
    ["verify", "q.zip", "--signer", "other.pem"],
    ["verify", "touched.zip"],
  ]);
  expect([good?.code, good?.out.endsWith("\nverified\n")]).toEqual([0, true]);
  expect([json?.code, (JSON.parse(json?.out ?? "") as { ok: boolean }).ok]).toEqual([0, true]);
  expect([pinned?.code, foreign?.code, bad?.code]).toEqual([9, 9, 9]);
  expect(foreign?.out).toContain("FAIL  signature     the manifest is signed by another key");
});

it("of a retried run both commands name the runs of its line, and verify counts over all of them", async () => {
  const place = new CliFolder({ "quick.ts": quickFile });
  await place.pawl("run", "./quick.ts", "--id", "q", "-P", "fail=true");
  const old = (await place.json("inspect", "q")).runId as string;
  const { runId } = (await place.json("retry", "q")) as { runId: string };
  place.write("quick.ts", quickFile.replace('throw new Error("the bank said no")', "return"));
  await place.pawl("run", "./quick.ts", "--id", "q", "-P", "fail=true");
  const [made, json] = await place.all([
    ["evidence", "q", "-o", "q.zip"],
    ["evidence", "q", "-o", "json.zip", "--json"],
  ]);
  expect(made?.err).toContain(`with the logs of all 2 runs of its chain: ${old}, ${runId}`);
  expect(JSON.parse(json?.out ?? "")).toMatchObject({ runId, runs: [old, runId], missing: [] });
  rmSync(join(place.dir, ".pawl"), { recursive: true });
  const [text, found] = await place.all([
    ["verify", "q.zip"],
    ["verify", "q.zip", "--json"],
  ]);
  expect([text?.code, text?.out]).toEqual([0, expect.stringContaining(`  ${old}  FAILED  `)]);
  expect(text?.out).toContain("second  UNDECLARED  SUCCESS: yes: 2 sends, by 2 of the 2 runs that called it");
  expect(JSON.parse(found?.out ?? "")).toMatchObject({ ok: true, line: { runs: [{ runId: old }, { runId }], missing: [] } });
});

it("what cannot be used is exit code 2, a run that is not there 4, and neither leaves a file", async () => {
  const place = new CliFolder({ "quick.ts": quickFile, "not.pem": "no key" });
  await place.pawl("run", "./quick.ts", "--id", "q-1");
  const ends = await place.all([
    ["evidence", "q-1", "-o", "x.zip", "--sign", "gone.pem"],
    ["evidence", "q-1", "-o", "x.zip", "--sign", "not.pem"],
    ["evidence", "q-1", "-o", "x.zip", "--redact", "a..b"],
    ["verify", "gone.zip"],
    ["verify", "quick.ts", "--signer", "gone.pem"],
    ["verify", "quick.ts", "--key", "gone.pem"],
    ["verify", "quick.ts", "--key", "not.pem"],
    ["verify", "quick.ts", "--witness", "gone.jsonl"],
  ]);
  const codes = [...Array(4).fill("PAWL4011"), "PAWL4061", "PAWL4061", "PAWL4064", "PAWL4065"] as string[];
  ends.forEach((e, i) => expect([e.code, e.err.includes(codes[i]!)], e.err).toEqual([2, true]));
  expect((await place.pawl("evidence", "nope")).code).toBe(4);
  expect((await place.pawl("verify", "quick.ts")).code).toBe(2);
  expect(existsSync(join(place.dir, "x.zip"))).toBe(false);
});
