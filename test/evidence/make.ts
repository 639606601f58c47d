// Writes the golden archives: `node --import ./test/support/typescript.mjs test/evidence/make.ts`. Only for a new format or a new
// lie: a golden file that is there is a promise to everybody who wrote a verifier of their own, and is never written over.
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { evidenceKey, goldenDir } from "./golden.ts";
import { forge } from "./forge.ts";
import { lies, unseen } from "./lies.ts";
import { richArchive } from "./rich.ts";

const expected: Record<string, { readonly story: string; readonly fails: readonly string[] }> = {};
const keep = (name: string, story: string, fails: readonly string[], archive: Uint8Array): void => {
  const file = `${name}.zip`;
  expected[file] = { story, fails };
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
for (const lie of [...unseen, ...lies]) keep(lie.name, lie.story, lie.fails, lie.make(good, evidenceKey.private));
writeFileSync(`${goldenDir}/expected.json`, `${JSON.stringify(expected, null, 2)}\n`);
