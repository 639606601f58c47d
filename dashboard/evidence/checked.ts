// The archive, checked in this page by src/verify.ts, the verifier that `pawl verify` is. Only Node's own modules are replaced by what a browser has (vite.config.ts);
// the verifier is the same file. It must never show a verdict that it did not compute here.
import "./node/globals.ts";
import { isZip, verify, type Verification, type VerifyOptions } from "../../src/verify.ts";
import { untilAnswered } from "./node/questions.ts";
import { ed25519 } from "./node/crypto.ts";
import { inflate } from "./node/zlib.ts";

export interface CheckedArchive {
  readonly verification: Verification;
  /** The lines of the log, as the archive has them. */
  readonly events: readonly Readonly<Record<string, unknown>>[];
  /** This browser cannot check Ed25519 signatures: what they say is counted as failed. */
  readonly noSignatures: boolean;
}

export async function checkArchive(bytes: Uint8Array<ArrayBuffer>, o: VerifyOptions): Promise<CheckedArchive> {
  if (!isZip(bytes)) throw new Error("this is not a zip: there is nothing to check");
  const verification = await untilAnswered(() => verify(bytes, o));
  return { verification, events: await eventsIn(bytes), noSignatures: ed25519.missing };
}

/** Also of a damaged archive, as far as it can be read: the checks say what is wrong with it. */
async function eventsIn(bytes: Uint8Array<ArrayBuffer>): Promise<CheckedArchive["events"]> {
  try {
    const text = await memberOf(bytes, "events.jsonl");
    return text.split("\n").flatMap((line) => {
      try {
        return line === "" ? [] : [JSON.parse(line) as Readonly<Record<string, unknown>>];
      } catch {
        return [];
      }
    });
  } catch {
    return [];
  }
}

const bytesMax = 256 * 1_024 * 1_024;

async function memberOf(zip: Uint8Array<ArrayBuffer>, wanted: string): Promise<string> {
  const view = new DataView(zip.buffer, zip.byteOffset, zip.byteLength);
  let end = zip.length - 22;
  while (end >= 0 && view.getUint32(end, true) !== 0x06054b50) end--;
  let at = view.getUint32(end + 16, true);
  for (let n = view.getUint16(end + 10, true); n > 0; n--) {
    const nameLength = view.getUint16(at + 28, true);
    const name = new TextDecoder().decode(zip.subarray(at + 46, at + 46 + nameLength));
    const local = view.getUint32(at + 42, true);
    const from = local + 30 + view.getUint16(local + 26, true) + view.getUint16(local + 28, true);
    const raw = zip.subarray(from, from + view.getUint32(at + 20, true));
    if (name === wanted) return new TextDecoder().decode(view.getUint16(at + 10, true) === 0 ? raw : await inflate(raw, bytesMax));
    at += 46 + nameLength + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
  }
  throw new Error(`there is no ${wanted}`);
}
