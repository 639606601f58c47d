// The count of an engine's seals: a number counts as written only when the store said so, and all before it too; what was never
// written is told in the next seals until it is on record.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { proves } from "../../test/support/proves.ts";
import { newKeyFile, readKeyFile } from "../log/seal-key-file.ts";
import { readStatement, type SealerStatement, type SealStatement } from "../events/seal.ts";
import { readSealRecords } from "../log/seal-records.ts";
import { virtualPlatform } from "../platform/virtual.ts";
import { memoryStore } from "../store/memory/store.ts";
import { Sealer } from "./sealer.ts";

const place = { eventId: "e", emittedAt: 1, stateVersion: 1, seq: 1, link: "l", sealedAt: null, end: null };

it("a seal is counted when its Commit is answered, and all before it are; others are told as never written", proves("K22"), async () => {
  const dir = mkdtempSync(join(tmpdir(), "pawl-sealer-"));
  newKeyFile(join(dir, "k"));
  const key = readKeyFile(join(dir, "k"));
  const platform = virtualPlatform();
  const store = memoryStore(platform);
  const sealer = new Sealer({ key, store, platform, log: () => {}, everyMs: 10_000 });
  const read = (payload: string): SealStatement =>
    (readStatement(payload, "pawl.seal", key.ring) as { statement: SealStatement }).statement;
  const record = async (): Promise<SealerStatement> => {
    const [row] = await readSealRecords(store, "sealer");
    return (readStatement(row!.value, "pawl.sealer", key.ring) as { statement: SealerStatement }).statement;
  };
  await sealer.open();
  expect([1, 2, 3].map(() => sealer.seal("r", place, 5).n)).toEqual([1, 2, 3]);
  sealer.onAnswered(2, true);
  expect(read(sealer.seal("r", place, 5).payload)).toMatchObject({ n: 4, done: 0, void: [], at: 5 });
  sealer.onAnswered(1, true);
  expect(read(sealer.seal("r", place, 5).payload)).toMatchObject({ n: 5, done: 2, void: [] });
  sealer.onAnswered(3, false);
  expect(read(sealer.seal("r", place, 5).payload)).toMatchObject({ n: 6, done: 3, void: [3] });
  expect(await record()).toMatchObject({ done: 0, void: [], closed: false });
  await platform.advance(10_000);
  expect(await record()).toMatchObject({ done: 3, void: [3], closed: false });
  expect(read(sealer.seal("r", place, 5).payload)).toMatchObject({ n: 7, done: 3, void: [] });
  await sealer.close();
  expect(await record()).toMatchObject({ done: 3, void: [3], closed: true });
  rmSync(dir, { recursive: true, force: true });
});
