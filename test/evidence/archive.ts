// Takes archives apart and puts them together again, for tests that look inside or change something. Reads only what the
// project's own zips use; the package imports nothing of it.
import { createHash, createPrivateKey, sign } from "node:crypto";
import { inflateRawSync } from "node:zlib";
import { zipOf } from "../../src/platform/zip.ts";

/** An archive inside an archive is no text: a character for each of its bytes. */
export const codingOf = (name: string): "latin1" | "utf8" => (name.endsWith(".zip") ? "latin1" : "utf8");

/** Members by name, as text. */
export function membersOf(zip: Uint8Array): Map<string, string> {
  const b = Buffer.from(zip);
  const found = new Map<string, string>();
  for (let at = 0; b.readUInt32LE(at) === 0x04034b50;) {
    const [method, packed, nameLength] = [b.readUInt16LE(at + 8), b.readUInt32LE(at + 18), b.readUInt16LE(at + 26)];
    const name = b.toString("utf8", at + 30, at + 30 + nameLength);
    const data = b.subarray(at + 30 + nameLength, at + 30 + nameLength + packed);
    found.set(name, (method === 8 ? inflateRawSync(data) : data).toString(codingOf(name)));
    at += 30 + nameLength + packed;
  }
  return found;
}

/** An archive of these members whose manifest lists them as they are now, signed again if there is a key. */
export function archiveOf(members: ReadonlyMap<string, string>, o: { readonly key?: string; readonly listed?: boolean } = {}): Uint8Array {
  const all = new Map(members);
  if (o.listed !== false) {
    const manifest = JSON.parse(all.get("manifest.json")!) as { members: unknown };
    manifest.members = [...all]
      .filter(([name]) => !name.startsWith("manifest."))
      .map(([name, text]) => ({ name, data: Buffer.from(text, codingOf(name)) }))
      .map(({ name, data }) => ({ name, bytes: data.length, sha256: createHash("sha256").update(data).digest("hex") }));
    all.set("manifest.json", `${JSON.stringify(manifest, null, 2)}\n`);
  }
  if (o.key !== undefined) {
    const signature = sign(null, Buffer.from(all.get("manifest.json")!), createPrivateKey(o.key));
    all.set("manifest.sig", `${signature.toString("base64")}\n`);
  }
  return zipOf([...all].map(([name, text]) => ({ name, data: Buffer.from(text, codingOf(name)) })));
}
