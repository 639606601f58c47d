// Writes the golden archives: `node --import ./test/support/typescript.mjs test/evidence/make-golden.ts`. Only for a new format or a new
// lie: a golden file that is there is a promise to everybody who wrote a verifier of their own, and is never written over.
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { evidenceKey, goldenDir } from "./golden.ts";
import { membersOf } from "./archive.ts";
import { forge } from "./forge.ts";
import { forgeries, graphForgeries, runChainForgeries, undetectedForgeries, type Forgery } from "./forgeries.ts";
import { docs, graphArchive, readers } from "./graph-run.ts";
import { runChainArchive } from "./retried-run.ts";
import { richArchive } from "./rich-run.ts";

interface Expected {
  readonly story: string;
  readonly fails: readonly string[];
  readonly key?: string;
  readonly witness?: string;
}
const expected: Record<string, Expected> = {};
const keep = (name: string, story: string, fails: readonly string[], archive: Uint8Array, o: Forgery["sealed"] = {}): void => {
  const file = `${name}.zip`;
  expected[file] = { story, fails, ...o };
  if (!existsSync(`${goldenDir}/${file}`)) writeFileSync(`${goldenDir}/${file}`, archive);
};

mkdirSync(goldenDir, { recursive: true });
const good = await richArchive({});
keep("good", "a true one", [], good);
keep(
  "good-signed",
  "a true one, signed",
  [],
  forge(good, (f) => void (f.manifest["signer"] = evidenceKey.signer), { key: evidenceKey.private }),
);
keep("good-without-payloads", "a true one that shows no payload", [], await richArchive({ payloads: false }));
keep("good-redacted", "a true one with hidden cards", [], await richArchive({ redact: ["**.card"] }));
const sealed = await richArchive({}, evidenceKey.private);
const both = { key: "signer.pub.pem", witness: "heads.jsonl" };
keep("good-sealed", "a true one, sealed to its end, and seen by a witness", [], sealed, both);
if (!existsSync(`${goldenDir}/heads.jsonl`)) writeFileSync(`${goldenDir}/heads.jsonl`, headsOf(sealed));
for (const lie of [...undetectedForgeries, ...forgeries])
  keep(lie.name, lie.story, lie.fails, lie.make(lie.sealed === undefined ? good : sealed, evidenceKey.private), lie.sealed);
const line = await runChainArchive({});
keep("good-line", "a true one of a run that retries another, with the log of that one", [], line);
keep("good-line-without-payloads", "the same without payloads", [], await runChainArchive({ payloads: false }));
for (const lie of runChainForgeries) keep(lie.name, lie.story, lie.fails, lie.make(line, evidenceKey.private));
const readersRun = await graphArchive(readers, docs, {});
keep("good-graph", "a true one of a state graph", [], readersRun);
for (const lie of graphForgeries) keep(lie.name, lie.story, lie.fails, lie.make(readersRun, evidenceKey.private));
writeFileSync(`${goldenDir}/expected.json`, `${JSON.stringify(expected, null, 2)}\n`);

/** What a witness would have written about the run: in its middle, and at its end. */
function headsOf(archive: Uint8Array): string {
  const members = membersOf(archive);
  const events = members.get("events.jsonl")!.trim().split("\n");
  return [events[9]!, events.at(-1)!]
    .map((l) => JSON.parse(l) as Record<string, unknown>)
    .map((e) => `${JSON.stringify({ runId: e["runId"], runSeq: e["runSeq"], link: e["link"], persistedAt: e["persistedAt"] })}\n`)
    .join("");
}
