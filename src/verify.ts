// pawl/verify: checks the evidence of a run, offline. One file that imports nothing but Node's own modules and shares no code
// with what makes evidence: it can be copied, read in one sitting, and written again from docs/reference/evidence-*.md,
// its specification. It trusts nothing in the archive: what it cannot compute again it lists as assumed or as not sealed. It must
// never write, never ask a clock, a network or a store, and never stop at the first problem.
import { isAscii } from "node:buffer";
import { createPublicKey, hash, verify as verifySignature, type KeyObject } from "node:crypto";
import { existsSync, readFileSync, realpathSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { crc32, inflateRawSync } from "node:zlib";

export interface Check {
  readonly check: string;
  readonly state: "pass" | "fail" | "skipped";
  readonly detail: string;
  /** Where: the runSeq of the first events that failed it. */
  readonly at: readonly number[];
}
export interface EffectAnswer {
  readonly stepId: string;
  readonly class: string;
  /** How many of its sends may have arrived. */
  readonly sends: number;
  readonly state: string;
  readonly verdict: "once" | "at-most-once" | "at-least-once" | "not-at-all" | "in-doubt";
  /** Could it have happened twice? */
  readonly answer: string;
  /** Over a run chain: the last one that called it, those that may have sent it, and the persons who had it sent again. */
  readonly runId?: string;
  readonly sentBy?: readonly string[];
  readonly orders?: readonly Order[];
}
export interface Order {
  readonly runId: string;
  readonly by: string;
  readonly reason: string;
}
/** The runs that retry or restart each other, as far as the archive has them. */
export interface VerifiedRunChain {
  /** The latest event of any of them. */
  readonly asOf: string;
  /** Oldest first. */
  readonly runs: readonly Pick<Verification, "runId" | "status" | "events" | "sealed">[];
  /** What these sent is not known. */
  readonly missing: readonly string[];
}
export interface Verification {
  readonly ok: boolean;
  readonly runId: string;
  readonly status: string;
  readonly events: number;
  readonly signedBy: string | null;
  /** How much of the log seals of the given key cover: up to this runSeq, and whether the end is among it. Null without a key. */
  readonly sealed: { readonly through: number; readonly end: boolean; readonly keys: readonly string[] } | null;
  /** Null: the archive is of one run alone. */
  readonly line: VerifiedRunChain | null;
  readonly checks: readonly Check[];
  readonly effects: readonly EffectAnswer[];
  readonly assumed: readonly string[];
  readonly unsealed: readonly string[];
}

type Json = Readonly<Record<string, unknown>>;
const sha256 = (data: string | Uint8Array): string => hash("sha256", data, "hex");

/** Every check, in the order of docs/reference/evidence-checks.md, with what it says when it holds. */
const checkNames = {
  archive: "every member can be read, is named once and is listed",
  manifest: "the manifest is of a known format and complete",
  digests: "every member has the size and SHA-256 that the manifest says",
  signature: "the manifest is signed by the key it names",
  envelopes: "every event has every field, in its form, and belongs to this run",
  order: "runSeq and stateVersion rise, a Commit has one time, and time never goes back",
  keys: "every idempotencyKey is the SHA-256 of its six fields; no key and no eventId twice",
  chain: "every link follows from the event and all before it, up to the head",
  payloads: "every payload shown whole has the hash that the chain holds",
  transitions: "every event is allowed in the run's state, and nothing follows the end",
  outcomes: "every attempt has one outcome at most, and nothing of a step follows its final one",
  timers: "no timer fired early",
  attempts: "engine attempts are counted one by one, under fences that never go back",
  "at-most-once": "no at-most-once effect was sent twice by itself",
  dedup: "no keyed effect was sent after its receiver may have forgotten the key",
  settle: "no verified effect was sent again while the last request could still arrive",
  doubt: "nothing in doubt continued without an answer",
  supersteps: "every superstep of a graph has the key that the state before it, what its items returned and the next items give",
  effects: "effects.jsonl and operators.jsonl say what the log says",
  ledger: "the ledger agrees with the log",
  verdict: "the proof gives every effect the verdict that the log gives",
  status: "the run's status and head are those of its log",
  seals: "every seal is of a given key and covers the log before it, and an ended run is sealed to its end",
  witness: "the log has every head that the witness saw",
  line: "every other run of the line verifies by itself, and every run that a log names is here or said to be missing",
} as const;
type CheckName = keyof typeof checkNames;

class Report {
  readonly #problems = new Map<CheckName, { text: string; at: number[]; more: number }>();
  readonly #skipped = new Map<CheckName, string>();
  readonly assumed: string[] = [];
  readonly unsealed: string[] = [];

  fail(check: CheckName, text: string, at?: number): void {
    const known = this.#problems.get(check);
    if (known === undefined) this.#problems.set(check, { text, at: at === undefined ? [] : [at], more: 0 });
    else if (known.at.length < 20 && at !== undefined) known.at.push(at);
    else known.more++;
  }
  skip(check: CheckName, why: string): void {
    this.#skipped.set(check, why);
  }
  get failed(): boolean {
    return this.#problems.size > 0;
  }
  has(check: CheckName): boolean {
    return this.#problems.has(check);
  }
  checks(): Check[] {
    return (Object.keys(checkNames) as CheckName[]).map((check) => {
      const p = this.#problems.get(check);
      const others = p === undefined ? 0 : p.at.length - 1 + p.more;
      if (p !== undefined) return { check, state: "fail", detail: p.text + (others > 0 ? ` (and ${others} more)` : ""), at: p.at };
      const why = this.#skipped.get(check);
      return { check, state: why === undefined ? "pass" : "skipped", detail: why ?? checkNames[check], at: [] };
    });
  }
}

// ---- the archive

/**
 * The members of a zip by its central directory; only what evidence uses: stored or deflated, no encryption, no zip64. Readers that go
 * by the local headers must see the same: the headers agree, and nothing stands before, between or behind what they describe.
 */
function members(zip: Buffer, report: Report): Map<string, Buffer> {
  const found = new Map<string, Buffer>();
  const bad = (text: string): void => report.fail("archive", text);
  const end = zip.lastIndexOf(Buffer.from([0x50, 0x4b, 5, 6]));
  if (end < 0 || end + 22 > zip.length) return (bad("this is not a zip"), found);
  const directory = zip.readUInt32LE(end + 16);
  const places: { readonly from: number; readonly to: number }[] = [];
  let at = directory;
  for (let n = zip.readUInt16LE(end + 10); n > 0; n--) {
    if (at + 46 > end || zip.readUInt32LE(at) !== 0x02014b50) return (bad("the directory of the zip is damaged"), found);
    const nameLength = zip.readUInt16LE(at + 28);
    const name = zip.toString("utf8", at + 46, at + 46 + nameLength);
    const [method, crc, packed, size, local] = [10, 16, 20, 24, 42].map((o) =>
      o === 10 ? zip.readUInt16LE(at + o) : zip.readUInt32LE(at + o),
    ) as [number, number, number, number, number];
    const header = at;
    at += 46 + nameLength + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32);
    try {
      const localName = zip.readUInt16LE(local + 26);
      const start = local + 30 + localName + zip.readUInt16LE(local + 28);
      // Flags, method, time, CRC and both sizes.
      const same = zip.readUInt32LE(local) === 0x04034b50 && zip.compare(zip, local + 6, local + 26, header + 8, header + 28) === 0;
      if (!same || zip.toString("utf8", local + 30, local + 30 + localName) !== name) bad(`${name} has two headers that differ`);
      if ((zip.readUInt16LE(header + 8) & 9) !== 0) bad(`${name} is encrypted, or its sizes stand behind it`);
      places.push({ from: local, to: start + packed });
      const raw = zip.subarray(start, start + packed);
      const data =
        method === 0
          ? raw
          : method === 8
            ? inflateRawSync(raw, { maxOutputLength: Math.max(size, 1), chunkSize: chunkOf(size, packed) })
            : null;
      if (data === null || data.length !== size || crc32(data) !== crc) bad(`${name} cannot be read`);
      else if (found.has(name)) bad(`${name} is there twice`);
      else found.set(name, data);
    } catch {
      bad(`${name} cannot be read`);
    }
  }
  places.sort((a, b) => a.from - b.from).push({ from: directory, to: at });
  const gap = places.some((p, i) => p.from !== (i === 0 ? 0 : places[i - 1]!.to));
  if (gap || at !== end || end + 22 + zip.readUInt16LE(end + 20) !== zip.length)
    bad("the zip has bytes that belong to no member, or to two");
  return found;
}

/** A member in one piece, whatever size it says it has: deflated data never grows to more than 1,032 times its length. */
const chunkOf = (size: number, packed: number): number => Math.max(64, Math.min(size + 1, packed * 1_032));

/** The lines of a member, decoded a piece at a time: all of them together may be longer than a text can be. */
class Lines {
  readonly #data: Buffer;
  #from = 0;
  #piece: readonly string[] = [];
  #at = 0;

  constructor(data: Buffer | undefined) {
    this.#data = data ?? Buffer.alloc(0);
  }
  /** undefined after the last one. */
  next(): Json | undefined {
    for (;;) {
      while (this.#at < this.#piece.length) {
        const line = this.#piece[this.#at++] as string;
        if (line === "") continue;
        const value: unknown = JSON.parse(line);
        if (typeof value !== "object" || value === null || Array.isArray(value)) throw new Error("a line is not an object");
        return value as Json;
      }
      if (this.#from >= this.#data.length) return undefined;
      this.#decode(this.#data, this.#from);
    }
  }
  #decode(data: Buffer, from: number): void {
    let to = data.length - from <= pieceBytes ? data.length : data.lastIndexOf(10, from + pieceBytes);
    if (to < from) to = data.indexOf(10, from + pieceBytes);
    if (to < 0) to = data.length;
    const bytes = data.subarray(from, to);
    // Of ASCII both make the same, and the first one in a third of the time.
    this.#piece = bytes.toString(isAscii(bytes) ? "latin1" : "utf8").split("\n");
    this.#at = 0;
    this.#from = to + 1;
  }
}
const pieceBytes = 1 << 20;

/** 1: of a run alone. 3: with the other runs of its line. */
const formats = new Set<unknown>([1, 3]);

function readManifest(files: Map<string, Buffer>, report: Report): Json | null {
  const data = files.get("manifest.json");
  if (data === undefined) return (report.fail("manifest", "there is no manifest.json"), null);
  try {
    const m = JSON.parse(data.toString("utf8")) as Json;
    if (m["kind"] !== "pawl.evidence" || !formats.has(m["format"]))
      return (report.fail("manifest", "this is not evidence of format 1 or 3"), null);
    for (const [part, wanted] of [
      ["run", ["runId", "tenantId", "projectId", "environmentId", "status"]],
      ["definition", ["workflow", "version"]],
      ["head", ["link"]],
      ["store", ["storeId", "identity"]],
    ] as const)
      for (const field of wanted)
        if (typeof (m[part] as Json | undefined)?.[field] !== "string")
          return (report.fail("manifest", `${part}.${field} is missing`), null);
    return m;
  } catch {
    return (report.fail("manifest", "manifest.json is not JSON"), null);
  }
}

function checkDigests(files: Map<string, Buffer>, m: Json, report: Report): void {
  const listed = new Set(["manifest.json", "manifest.sig"]);
  for (const f of Array.isArray(m["members"]) ? (m["members"] as (Json | null)[]) : []) {
    const name = String(f?.["name"]);
    const data = files.get(name);
    listed.add(name);
    if (data === undefined) report.fail("archive", `${name} is listed and not there`);
    else if (data.length !== f?.["bytes"] || sha256(data) !== f["sha256"]) report.fail("digests", `${name} is not what the manifest says`);
  }
  for (const name of files.keys()) if (!listed.has(name)) report.fail("archive", `${name} is there and not listed`);
  if (!listed.has("events.jsonl")) report.fail("archive", "events.jsonl is not listed");
}

/** The signer's key as base64 of its SPKI form, when the signature holds. */
function checkSignature(files: Map<string, Buffer>, m: Json, pinned: string | undefined, report: Report): string | null {
  const signer = m["signer"] as Json | undefined;
  const signature = files.get("manifest.sig");
  if (signer === undefined || signature === undefined) {
    if (pinned !== undefined || signer !== undefined || signature !== undefined)
      report.fail("signature", "the signature or its key is missing");
    else report.skip("signature", "not signed: anybody could have made it");
    return null;
  }
  try {
    const key = createPublicKey({ key: Buffer.from(String(signer["publicKey"]), "base64"), format: "der", type: "spki" });
    const spki = key.export({ format: "der", type: "spki" }).toString("base64");
    const wanted = pinned === undefined ? spki : createPublicKey(pinned).export({ format: "der", type: "spki" }).toString("base64");
    const data = files.get("manifest.json") as Buffer;
    if (key.asymmetricKeyType !== "ed25519") report.fail("signature", "the signer's key is not an Ed25519 key");
    else if (!verifySignature(null, data, key, Buffer.from(signature.toString("latin1").trim(), "base64")))
      report.fail("signature", "the signature does not fit the manifest");
    else if (spki !== wanted) report.fail("signature", "the manifest is signed by another key than the one given");
    else return spki;
  } catch {
    report.fail("signature", "the signature or a key cannot be read");
  }
  return null;
}

// ---- the events

interface Event {
  readonly runSeq: number;
  readonly eventId: string;
  readonly eventType: string;
  readonly stepId: string | null;
  readonly engineAttemptId: number;
  readonly logicalAttemptId: number;
  readonly idempotencyKey: string;
  readonly emittedAt: number;
  readonly persistedAt: number;
  readonly stateVersion: number;
  readonly payloadHash: string | null;
  readonly link: string;
}
interface Run {
  readonly runId: string;
  readonly tenantId: string;
  readonly projectId: string;
  readonly environmentId: string;
  readonly planId: string;
  readonly planVersion: string;
}

const runFields = ["runId", "tenantId", "projectId", "environmentId", "planId", "planVersion"] as const;
const uuidV4 = /^[\dA-Fa-f]{8}-[\dA-Fa-f]{4}-4[\dA-Fa-f]{3}-[89ABab][\dA-Fa-f]{3}-[\dA-Fa-f]{12}$/;
const hex64 = /^[0-9a-f]{64}$/;
const stepTypes = new Set(["StepStarted", "StepCompleted", "StepFailed", "StepSkipped"]);
const whole = (x: unknown, least: number): x is number => Number.isSafeInteger(x) && (x as number) >= least;

const rfc3339 = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?(?:Z|\+00:00)$/;

/** RFC 3339 in UTC, as milliseconds; NaN when it is anything else: no 30th of February, no hour 24. */
function time(x: unknown): number {
  if (x === lastTime.text) return lastTime.ms; // events of one Commit share theirs
  const [, day, clock, fraction = ""] = typeof x === "string" ? (rfc3339.exec(x) ?? []) : [];
  if (day === undefined) return Number.NaN;
  const ms = Date.parse(`${day}T${clock}.${fraction.padEnd(3, "0").slice(0, 3)}Z`);
  if (new Date(ms).getUTCDate() !== Number(day.slice(8))) return Number.NaN;
  lastTime.text = x as string;
  lastTime.ms = ms;
  return ms;
}
const lastTime = { text: "", ms: Number.NaN };

function readEvent(line: Json, run: Run, report: Report): Event {
  const e = {
    runSeq: line["runSeq"] as number,
    eventId: line["eventId"] as string,
    eventType: line["eventType"] as string,
    stepId: (line["stepId"] as string | undefined) ?? null,
    engineAttemptId: line["engineAttemptId"] as number,
    logicalAttemptId: line["logicalAttemptId"] as number,
    idempotencyKey: line["idempotencyKey"] as string,
    emittedAt: time(line["emittedAt"]),
    persistedAt: time(line["persistedAt"]),
    stateVersion: line["stateVersion"] as number,
    payloadHash: (line["payloadHash"] as string | undefined) ?? null,
    link: line["link"] as string,
  };
  const bad = (what: string): void => report.fail("envelopes", `event ${String(e.runSeq)}: ${what}`, e.runSeq);
  for (const field of runFields) if (line[field] !== run[field]) bad(`${field} is not the run's`);
  if (!whole(e.runSeq, 1)) bad("runSeq is not a whole number of at least 1");
  if (typeof e.eventId !== "string" || !uuidV4.test(e.eventId)) bad("eventId is not a UUID v4");
  if (typeof e.eventType !== "string" || e.eventType === "") bad("eventType is missing");
  if (!whole(e.engineAttemptId, 1) || !whole(e.logicalAttemptId, 1)) bad("an attempt is not a whole number of at least 1");
  if (Number.isNaN(e.emittedAt) || Number.isNaN(e.persistedAt)) bad("a time is not RFC 3339 in UTC");
  if (!whole(e.stateVersion, 1)) bad("stateVersion is not a whole number of at least 1");
  if (stepTypes.has(e.eventType) ? typeof e.stepId !== "string" || e.stepId === "" : e.stepId !== null)
    bad("stepId is there on step events and only there");
  return e;
}

/** What every write of the run shares, as it stands in the canonical text: members are in the order of their names. */
interface Frame {
  readonly environment: string;
  readonly plan: string;
  readonly tenant: string;
}
/** Text in which nothing is escaped. */
const plain = /^[\w .:/#-]*$/;

function q(x: unknown): string {
  if (typeof x === "string" && plain.test(x)) return `"${x}"`;
  return typeof x === "number" && x - x === 0 ? String(x) : (JSON.stringify(x) ?? "null");
}

function frameOf(run: Run): Frame {
  return {
    environment: `,"environmentId":${q(run.environmentId)},"eventId":`,
    plan: `,"planId":${q(run.planId)},"planVersion":${q(run.planVersion)},"projectId":${q(run.projectId)},"runId":${q(run.runId)},"runSeq":`,
    tenant: `,"tenantId":${q(run.tenantId)}}`,
  };
}

/** The canonical write of an event. */
function writeOf(frame: Frame, e: Event): string {
  return (
    `{"emittedAt":${q(e.emittedAt)},"engineAttemptId":${q(e.engineAttemptId)}${frame.environment}${q(e.eventId)}` +
    `,"eventType":${q(e.eventType)},"idempotencyKey":${q(e.idempotencyKey)},"logicalAttemptId":${q(e.logicalAttemptId)}` +
    `,"payloadHash":${q(e.payloadHash)}${frame.plan}${q(e.runSeq)},"stateVersion":${q(e.stateVersion)},"stepId":${q(e.stepId)}${frame.tenant}`
  );
}

/** link = SHA-256 of the last link, the time that this event seals, and the canonical write, with newlines between. */
function linkOf(frame: Frame, prev: Event | null, e: Event): string {
  const sealed = prev !== null && prev.stateVersion !== e.stateVersion ? String(prev.persistedAt) : "";
  return sha256(`${prev?.link ?? ""}\n${sealed}\n${writeOf(frame, e)}`);
}

/**
 * Finds what stands in two events. Of each text only its first digits are kept: mostly they are enough to know that none is
 * there twice. Where some agree in these, the lines are read again and the whole texts compared.
 */
class Repeats {
  readonly #field: string;
  readonly #marks: number[] = [];

  constructor(field: string) {
    this.#field = field;
  }
  take(text: unknown): void {
    this.#marks.push(shortHash(text));
  }
  /** The runSeq of every event whose text an earlier one has. */
  found(log: Lines): number[] {
    const marks = Float64Array.from(this.#marks).sort();
    const shared = new Set(marks.filter((m, i) => m === marks[i - 1]));
    const texts = new Set<unknown>();
    const at: number[] = [];
    for (let line = shared.size === 0 ? undefined : log.next(); line !== undefined; line = log.next()) {
      const text = line[this.#field];
      if (texts.has(text)) at.push(line["runSeq"] as number);
      else if (shared.has(shortHash(text))) texts.add(text);
    }
    return at;
  }
}

/** Of hex digits the first twelve as a number; of anything else some number. The same texts have the same. */
function shortHash(text: unknown): number {
  if (typeof text !== "string" || text.length < 12) return 0;
  let mark = 0;
  for (let i = 0; i < 12; i++) {
    const c = text.charCodeAt(i);
    mark = mark * 16 + (c & 15) + (c >> 6) * 9;
  }
  return mark;
}

// ---- what the events say

const runTable: ReadonlyMap<string, readonly [from: readonly string[], to: string]> = new Map([
  ["RunQueued", [["none"], "PENDING"]],
  ["RunStarted", [["none", "PENDING"], "RUNNING"]],
  ["RunPaused", [["RUNNING"], "PAUSED"]],
  ["RunResumed", [["PAUSED"], "RUNNING"]],
  ["RunCompleted", [["RUNNING"], "COMPLETED"]],
  ["RunFailed", [["PENDING", "RUNNING", "PAUSED"], "FAILED"]],
  ["RunCancelled", [["PENDING", "RUNNING", "PAUSED"], "CANCELLED"]],
]);
const settled = new Set(["COMPLETED", "FAILED", "CANCELLED"]);
/** The engine's idea of the store's clock may be off by this much; only `settle` depends on it. */
const clockToleranceMs = 1_000;

interface Step {
  readonly stepId: string;
  readonly seq: number;
  readonly facts: Json;
  /** When it began, and its latest event, for the ledger. */
  readonly startedAt: number;
  latestSeq: number;
  latestAt: number;
  /** Of the first send that may have arrived; null when there is none. */
  firstAt: number | null;
  attempt: number;
  engineAttempt: number;
  status: "RUNNING" | "SUCCESS" | "FAILED" | "SKIPPED";
  final: boolean;
  category: unknown;
  lastAt: number;
  /** Sends that may have arrived. */
  sends: number;
  /** Who said of a send that nothing had happened. */
  denied: "nobody" | "the step" | "a person";
  /** How often its function was called, at most; when first and last. */
  calls: number;
  firstCall: number;
  lastCall: number;
  /** How its outcome is known, if not by its own call. */
  via: unknown;
  /** How its latest dispatch left: "queue", "here", or by no queue. */
  dispatched: unknown;
  /** The payload of its first start is shown whole: `facts` are the log's, not the maker's. */
  readonly shown: boolean;
  /** `unclaimed`: it was on a queue and nobody had claimed it, so this is the end of no call. */
  readonly failures: { readonly category: unknown; readonly via: unknown; readonly unclaimed: boolean }[];
  doubt: boolean;
  /** It failed for good, and a person decides what becomes of it. */
  held: boolean;
  answered: boolean;
  /** A person has not approved it: nothing of it was sent. */
  unsent: boolean;
  /** A start past the window: a violation if it turns out that it was sent. */
  late: number | null;
  /** The ledger has a row of it. */
  listed: boolean;
}

/** Walks the log once. `facts` are what the payload says, or what is claimed of it where it is not shown. */
class Walk {
  readonly steps = new Map<string, Step>();
  readonly #report: Report;
  readonly #ordinals = new Map<string, number>();
  /** The run before this one, whose sends are not in this log. */
  readonly #takesOver: boolean;
  /** Written by producers outside an engine: their events may be out of order, and their payloads are nobody's facts. */
  readonly #external: boolean;
  readonly #attempts = new Map<string, { attempt: number; open: boolean }>();
  /** Invalid events of such a run. They change no state. */
  readonly odd: number[] = [];
  status = "none";
  /** The time of the latest event. */
  lastAt = 0;
  /** The run that this one retries or restarts, as its first payload says; undefined when that is not shown whole. */
  before: string | null | undefined;
  #fence = 0;

  constructor(report: Report, takesOver: boolean, external: boolean) {
    this.#report = report;
    this.#takesOver = takesOver;
    this.#external = external;
  }

  take(e: Event, f: Json, shown: boolean): void {
    this.lastAt = e.persistedAt;
    if (shown && (e.eventType === "RunQueued" || e.eventType === "RunStarted")) this.#named(f["retryOf"] ?? f["restartOf"]);
    if (this.#external) {
      if (!this.#derives(e)) this.odd.push(e.runSeq);
    } else if (stepTypes.has(e.eventType)) this.#step(e, f, shown);
    else this.#runLevel(e, f);
  }

  /** RunStarted repeats what RunQueued says, in logs of later versions: alone, only what it does say counts. */
  #named(before: unknown): void {
    if (typeof before === "string") this.before = before;
    else if (this.status === "none") this.before = null;
  }

  /** What the table says, and nothing that only an engine promises; false when the event is invalid. */
  #derives(e: Event): boolean {
    const rule = runTable.get(e.eventType);
    if (rule !== undefined) {
      const allowed = rule[0].includes(this.status);
      if (allowed) this.status = rule[1];
      return allowed;
    }
    if (!stepTypes.has(e.eventType)) return this.status !== "none" && !settled.has(this.status);
    const begins = e.eventType === "StepStarted" || e.eventType === "StepSkipped";
    const known = this.#attempts.get(String(e.stepId)) ?? { attempt: 0, open: false };
    if (this.status !== "RUNNING" && (begins || this.status !== "PAUSED")) return false;
    if (known.open === begins || e.logicalAttemptId !== known.attempt + (begins ? 1 : 0)) return false;
    this.#attempts.set(String(e.stepId), { attempt: e.logicalAttemptId, open: e.eventType === "StepStarted" });
    return true;
  }

  #runLevel(e: Event, f: Json): void {
    const ordinal = (this.#ordinals.get(e.eventType) ?? 0) + 1;
    this.#ordinals.set(e.eventType, ordinal);
    if (e.logicalAttemptId !== ordinal)
      this.#report.fail("attempts", `${e.eventType} is number ${ordinal} of its type and says ${e.logicalAttemptId}`, e.runSeq);
    const rule = runTable.get(e.eventType);
    const allowed = rule === undefined ? this.status !== "none" && !settled.has(this.status) : rule[0].includes(this.status);
    if (!allowed) return this.#report.fail("transitions", `${e.eventType} while the run is ${this.status}`, e.runSeq);
    if (rule !== undefined) this.status = rule[1];
    const step = this.steps.get(String(f["stepId"]));
    if (e.eventType === "pawl.StepRedispatched") this.#redispatched(e, f, step);
    else if (e.eventType === "pawl.StepBegins") this.#beginsOnlyNow(e, f, step);
    else if (e.eventType === "pawl.StepInDoubt" && step !== undefined) {
      claimed(step, f);
      noteLatest(Object.assign(step, { doubt: true, answered: false, late: null }), e);
    } else if (e.eventType === "pawl.StepHeld" && step !== undefined) {
      claimed(step, f);
      noteLatest(Object.assign(step, { held: true }), e);
    } else if (e.eventType === "pawl.StepYielded" && step !== undefined) this.#yielded(e, f, step);
    else if (e.eventType === "pawl.DecisionAnswered" && f["answer"] === "approve") this.#approved(e, step);
    else if (e.eventType === "pawl.DecisionAnswered" && step !== undefined) step.answered = true;
  }

  /** It gave its place up and is called again; nobody says what it did before. */
  #yielded(e: Event, f: Json, step: Step): void {
    claimed(step, f);
    const cls = step.facts["class"];
    if (cls === "AT-MOST-ONCE" || cls === "VERIFIED")
      this.#report.fail("at-most-once", `${step.stepId} was sent again, and nobody said that it had not happened`, e.runSeq);
    if (f["via"] !== "queue" && this.#past(step, e)) step.late = e.runSeq;
    noteLatest(Object.assign(step, { engineAttempt: 1, dispatched: f["via"], lastCall: e.persistedAt }), e);
    step.calls++;
    sent(step, e, f);
  }

  /** The send that was recorded last begins here: its deadline counts from now on. */
  #beginsOnlyNow(e: Event, f: Json, step: Step | undefined): void {
    if (step === undefined || step.status !== "RUNNING" || step.unsent || step.doubt)
      return this.#report.fail("attempts", "a beginning of a step that is not about to be sent", e.runSeq);
    if (this.#past(step, e)) step.late = e.runSeq;
    step.lastAt = e.persistedAt;
    step.lastCall = e.persistedAt;
    if (f["via"] === undefined) return;
    // It goes to its queue only now: what was recorded before sent nothing.
    step.dispatched = f["via"];
    if (step.sends <= 1) step.firstAt = null;
    noteLatest(step, e);
  }

  /** The answer is the first send of a step that needed approval; it answers nothing else, and permits no second one. */
  #approved(e: Event, step: Step | undefined): void {
    if (step === undefined || !step.unsent || step.status !== "RUNNING")
      return this.#report.fail("doubt", "an approval of a step that did not wait for one", e.runSeq);
    step.unsent = false;
    step.calls++;
    step.firstCall = step.lastCall = e.persistedAt;
    noteLatest(step, e);
    step.dispatched = undefined;
    sent(step, e, {});
  }

  #step(e: Event, f: Json, shown: boolean): void {
    const stepId = String(e.stepId);
    const known = this.steps.get(stepId);
    const begins = e.eventType === "StepStarted" || e.eventType === "StepSkipped";
    const open = known?.status === "RUNNING";
    const fits = begins ? !open && e.logicalAttemptId === (known?.attempt ?? 0) + 1 : open && e.logicalAttemptId === known?.attempt;
    if (this.status !== "RUNNING" && (begins || this.status !== "PAUSED"))
      return this.#report.fail("transitions", `${e.eventType} of ${stepId} while the run is ${this.status}`, e.runSeq);
    if (known?.final === true) return this.#report.fail("outcomes", `${e.eventType} of ${stepId} after its final outcome`, e.runSeq);
    if (!fits) {
      const check = !begins && known !== undefined && !open && e.logicalAttemptId === known.attempt ? "outcomes" : "transitions";
      return this.#report.fail(
        check,
        `${e.eventType} of ${stepId}, attempt ${e.logicalAttemptId}, which is ${known?.status ?? "not begun"}`,
        e.runSeq,
      );
    }
    if (begins) return this.#begins(e, f, known, shown);
    this.#ends(e, f, known as Step);
  }

  #begins(e: Event, f: Json, known: Step | undefined, shown: boolean): void {
    const status = e.eventType === "StepSkipped" ? "SKIPPED" : "RUNNING";
    if (e.engineAttemptId !== 1)
      this.#report.fail("attempts", `${e.eventType} of ${String(e.stepId)} with engine attempt ${e.engineAttemptId}`, e.runSeq);
    const step: Step = known ?? {
      stepId: String(e.stepId),
      seq: e.runSeq,
      facts: f,
      startedAt: e.persistedAt,
      latestSeq: e.runSeq,
      latestAt: e.persistedAt,
      firstAt: null,
      attempt: 1,
      engineAttempt: 1,
      status,
      final: status === "SKIPPED",
      category: undefined,
      lastAt: 0,
      sends: 0,
      denied: "nobody",
      calls: 0,
      firstCall: e.persistedAt,
      lastCall: e.persistedAt,
      via: undefined,
      dispatched: f["via"],
      shown,
      failures: [],
      doubt: false,
      held: false,
      answered: false,
      unsent: f["approve"] === true,
      late: null,
      listed: false,
    };
    if (known === undefined) this.steps.set(step.stepId, step);
    else
      Object.assign(known, {
        attempt: e.logicalAttemptId,
        engineAttempt: 1,
        status,
        final: status === "SKIPPED", // by a person, after a failed attempt
        doubt: false,
        held: false,
        answered: false,
        lastCall: e.persistedAt,
      });
    noteLatest(step, e);
    if (status === "SKIPPED" || (step.unsent && known === undefined)) return;
    if (step.unsent) this.#report.fail("doubt", `${step.stepId} was sent, and nobody had approved it`, e.runSeq);
    if (step.facts["class"] === "AT-MOST-ONCE" && step.sends > 0)
      this.#report.fail("at-most-once", `${step.stepId} began another attempt, and nobody said that the last one did not happen`, e.runSeq);
    // What can be asked is asked before it is sent again; the send then shows as a re-dispatch.
    const asks = step.facts["verified"] === true || step.facts["class"] === "VERIFIED";
    if (!asks || step.failures.every((x) => x.category === "NOT_SENT")) step.calls++;
    if (asks && step.sends > 0) return;
    step.dispatched = f["via"];
    if (f["via"] !== "queue" && this.#past(step, e)) step.late = e.runSeq;
    sent(step, e, f);
  }

  #redispatched(e: Event, f: Json, step: Step | undefined): void {
    if (step === undefined || step.status !== "RUNNING")
      return this.#report.fail("attempts", "a re-dispatch of a step that is not open", e.runSeq);
    const { stepId } = step;
    claimed(step, f);
    if (f["engineAttemptId"] !== step.engineAttempt + 1)
      this.#report.fail("attempts", `${stepId}: engine attempt ${String(f["engineAttemptId"])} after ${step.engineAttempt}`, e.runSeq);
    if (!whole(f["fence"], this.#fence))
      this.#report.fail("attempts", `${stepId} was re-dispatched under a fence that went back`, e.runSeq);
    else this.#fence = f["fence"];
    if (step.unsent) this.#report.fail("doubt", `${stepId} was sent, and nobody had approved it`, e.runSeq);
    if (step.doubt && !step.answered) this.#report.fail("doubt", `${stepId} was sent again while it was in doubt`, e.runSeq);
    if (!step.answered) {
      const { timeoutMs, settleMs, class: cls } = step.facts as { timeoutMs?: number; settleMs?: number; class?: string };
      // A step that the run before this one left unknown is asked, not sent, when it begins here.
      const asked = this.#takesOver && step.sends === 1;
      const mayArrive = asked ? 0 : step.lastAt + (timeoutMs ?? 0) + (settleMs ?? 0) - clockToleranceMs;
      if (cls === "AT-MOST-ONCE") this.#report.fail("at-most-once", `${stepId} was sent again`, e.runSeq);
      if (this.#past(step, e)) step.late = e.runSeq;
      if (cls === "VERIFIED" && e.persistedAt < mayArrive)
        this.#report.fail("settle", `${stepId} was sent again while the last request could still arrive`, e.runSeq);
    }
    noteLatest(Object.assign(step, { engineAttempt: step.engineAttempt + 1, doubt: false, answered: false, lastCall: e.persistedAt }), e);
    step.calls++;
    step.dispatched = f["via"];
    sent(step, e, f);
  }

  #ends(e: Event, f: Json, step: Step): void {
    const { stepId } = step;
    claimed(step, f);
    const unclaimed = step.dispatched === "queue" && f["claimedAt"] === null;
    if (unclaimed) step.calls--;
    const completed = e.eventType === "StepCompleted";
    if (e.engineAttemptId !== step.engineAttempt)
      this.#report.fail(
        "attempts",
        `the outcome of ${stepId} is of engine attempt ${e.engineAttemptId}, ${step.engineAttempt} began`,
        e.runSeq,
      );
    const due = (step.facts["until"] as number | undefined) ?? step.startedAt + ((step.facts["delayMs"] as number | undefined) ?? 0);
    const takenOver = this.#takesOver && f["copiedFrom"] !== undefined; // it fired in the run before, and is judged in its evidence
    if (completed && !takenOver && step.facts["kind"] === "timer" && e.persistedAt < due)
      this.#report.fail("timers", `${stepId} fired ${due - e.persistedAt} ms early`, e.runSeq);
    // Who records it too late sends nothing: an outcome that the effect itself had says otherwise.
    const sent = f["via"] === undefined && (completed || f["category"] === "FAILED" || f["category"] === "TIMEOUT");
    if (step.late !== null && sent) this.#report.fail("dedup", `${stepId} was sent after its dedup window`, step.late);
    if (step.unsent && (completed || !unapprovedEnds.has(f["category"])))
      this.#report.fail("doubt", `${stepId} got an outcome, and nobody had approved it`, e.runSeq);
    const given = !completed && f["category"] === "INDETERMINATE"; // the run was terminated
    const byWorker = f["late"] === true; // its worker reported after all, and nobody had decided
    if (step.doubt && !step.answered && !given && !byWorker)
      this.#report.fail("doubt", `${stepId} got an outcome while it was in doubt`, e.runSeq);
    if (f["copiedFrom"] !== undefined) step.sends = 0;
    if (!completed) step.failures.push({ category: f["category"], via: f["via"], unclaimed });
    if (!completed && f["category"] === "NOT_SENT") denied(step, f["via"] === "decision");
    step.status = completed ? "SUCCESS" : "FAILED";
    step.via = f["via"];
    step.final = completed || f["retryAt"] === undefined;
    step.category = completed ? undefined : f["category"];
    step.late = null;
    step.doubt = step.held = false;
    noteLatest(step, e);
  }

  /** True where a keyed send is past what the receiver promised to remember. */
  #past(step: Step, e: Event): boolean {
    if (step.facts["class"] !== "KEYED" || step.firstAt === null) return false;
    return e.persistedAt >= step.firstAt + ((step.facts["dedupMs"] as number | undefined) ?? 0);
  }
}

/** The event is about the step, and its latest. */
function noteLatest(step: Step, e: Event): void {
  step.latestSeq = e.runSeq;
  step.latestAt = e.persistedAt;
}

/** On a queue nothing leaves before somebody claims it: a later event says when that was. */
function sent(step: Step, e: Event, f: Json): void {
  step.sends++;
  if (f["via"] === "queue") return;
  step.firstAt ??= e.persistedAt;
  step.lastAt = e.persistedAt;
}

/** When a dispatch that ended had been claimed, and until when it could have begun and run. */
function claimed(step: Step, f: Json): void {
  const { claimedAt, deadlineAt } = f as { claimedAt?: unknown; deadlineAt?: unknown };
  if (typeof claimedAt !== "number") return;
  step.firstAt ??= claimedAt;
  const limit = (step.facts["timeoutMs"] as number | undefined) ?? 0;
  step.lastAt = typeof deadlineAt === "number" ? Math.max(claimedAt, deadlineAt - limit) : claimedAt;
}

/** Nothing was sent: the step speaks for its last send, a person for all of them. */
function denied(step: Step, byPerson: boolean): void {
  step.sends = byPerson ? 0 : Math.max(0, step.sends - 1);
  if (step.sends === 0) step.firstAt = null;
  step.denied = byPerson || step.denied === "a person" ? "a person" : "the step";
}

// ---- the members beside the log

/** What effects.jsonl says of a payload, where the payload has it. The rest of a payload is the users'. */
const factFields = new Set([
  "kind",
  "name",
  "class",
  "key",
  "receiver",
  "dedupMs",
  "settleMs",
  "verified",
  "timeoutMs",
  "approve",
  "delayMs",
  "until",
  "of",
  "retry",
  "engineAttemptId",
  "fence",
  "code",
  "category",
  "via",
  "copiedFrom",
  "retryAt",
  "answer",
  "claimedAt",
  "deadlineAt",
  "late",
]);
const operatorFields = new Set(["by", "reason", "answer", "category", "proposedBy"]);
const stepNotices = new Set([
  "pawl.StepRedispatched",
  "pawl.StepBegins",
  "pawl.StepInDoubt",
  "pawl.StepHeld",
  "pawl.StepYielded",
  "pawl.DecisionAnswered",
]);
const operatorTypes = new Set([
  "RunPaused",
  "RunResumed",
  "RunCancelled",
  "pawl.CancelRequested",
  "pawl.DecisionNeeded",
  "pawl.DecisionProposed",
  "pawl.DecisionAnswered",
]);

/** Lines of a member in the order of the events they are about. */
class SideFile {
  readonly #lines: Lines;
  readonly #stray: () => void;
  #next: Json | undefined;

  constructor(files: Map<string, Buffer>, name: string, stray: (name: string) => void) {
    this.#lines = new Lines(files.get(name));
    this.#stray = () => stray(name);
    this.#next = this.#lines.next();
  }
  of(runSeq: number): Json | null {
    for (let line = this.#next; line !== undefined; line = this.#next) {
      const about = line["runSeq"] as number;
      if (about > runSeq) return null;
      this.#next = this.#lines.next();
      if (about === runSeq) return line;
      this.#stray();
    }
    return null;
  }
  end(): void {
    if (this.#next !== undefined) this.#stray();
  }
}

/** The line says what the payload says, in these fields, and nothing else in them. */
function agrees(line: Json, payload: Json, fields: ReadonlySet<string>): boolean {
  for (const f in line) if (fields.has(f) && !same(line[f], payload[f])) return false;
  for (const f in payload) if (fields.has(f) && !same(line[f], payload[f])) return false;
  return true;
}
const same = (a: unknown, b: unknown): boolean => a === b || JSON.stringify(a) === JSON.stringify(b);

interface Payload {
  readonly facts: Json;
  readonly sealed: boolean;
}

/** What is shown of an event's payload; null when nothing is. */
function readPayload(e: Event, line: Json | null, report: Report): Payload | null {
  if (e.payloadHash === null) {
    if (line !== null) report.fail("payloads", `event ${e.runSeq} has no payload in the chain and one in the archive`, e.runSeq);
    return { facts: {}, sealed: true };
  }
  if (line === null) return (checkForm(e.payloadHash, e, report), null);
  const text = String(line["payload"]);
  const sealed = line["redacted"] === undefined;
  const same = sealed && sha256(`${String(line["salt"])}\n${text}`) === e.payloadHash;
  if (!same) checkForm(e.payloadHash, e, report);
  if (sealed && !same) report.fail("payloads", `the payload of event ${e.runSeq} is not the one in the chain`, e.runSeq);
  const value = JSON.parse(text) as unknown;
  return { facts: typeof value === "object" && value !== null ? (value as Json) : {}, sealed };
}

// ---- the supersteps of a graph

interface SuperstepItem {
  readonly item: string;
  readonly node: string;
  readonly orderKey: string;
}
interface Superstep {
  readonly n: number;
  readonly key: string;
  readonly channels?: Readonly<Record<string, string>>;
  readonly state?: Json;
  readonly set?: Json;
  readonly items: readonly (SuperstepItem & { readonly update?: Json; readonly updateHash?: string })[];
  readonly frontier: readonly SuperstepItem[];
}

/** Folds the state of a graph from its log, without any code of its author, and computes the key of every superstep again. */
class Supersteps {
  readonly #runId: string;
  readonly #report: Report;
  #kinds = new Map<string, string>();
  readonly #values = new Map<string, unknown>();
  #parts: string[] = [];
  #last: Superstep | null = null;
  /** A run that was forked, or that retries another, begins with the superstep that it continues; the next turn with 0. */
  #first = 0;
  #isHidden = false;

  constructor(runId: string, report: Report) {
    this.#runId = runId;
    this.#report = report;
  }

  /** `f`: the payload, where it is shown whole. */
  take(e: Event, f: Json | null): void {
    const begun = e.eventType === "RunQueued" ? ((f?.["begin"] ?? f?.["fork"]) as Json | undefined) : undefined;
    if (typeof begun?.["superstep"] === "number") this.#first = begun["turn"] === true ? 0 : begun["superstep"];
    if (e.eventType !== "pawl.Superstep" && e.eventType !== "pawl.SuperstepPart") return;
    if (f === null) this.#isHidden = true;
    if (f === null || this.#isHidden) return;
    if (e.eventType === "pawl.SuperstepPart") return void this.#parts.push(String(f["text"]));
    try {
      const count = f["parts"];
      const body = count === undefined ? {} : (JSON.parse(this.#parts.slice(-Number(count)).join("")) as Json);
      this.#parts = [];
      this.#step(e, { ...f, ...body } as unknown as Superstep);
    } catch {
      this.#fail(e, "cannot be read");
    }
  }

  end(): void {
    if (this.#isHidden) this.#report.skip("supersteps", "payloads of supersteps are left out or redacted");
    else if (this.#last === null) this.#report.skip("supersteps", "the log has no supersteps: it is not the log of a graph");
  }

  #step(e: Event, p: Superstep): void {
    const before = this.#last;
    this.#last = p;
    if (p.n !== (before === null ? this.#first : before.n + 1)) this.#fail(e, `is number ${String(p.n)}, not the next one`);
    if (before === null) {
      this.#kinds = new Map(Object.entries(p.channels ?? {}));
      for (const [name, value] of Object.entries(p.state ?? {})) this.#values.set(name, value);
    } else {
      if (p.state !== undefined || p.channels !== undefined) this.#fail(e, "begins with a state of its own");
      if (itemsText(p.items) !== itemsText(before.frontier)) this.#fail(e, "has other items than those that were to be done");
      this.#merge(e, p);
    }
    if (this.#keyOf(p) !== p.key) this.#fail(e, "has another key than its state and its next items give");
  }

  #merge(e: Event, { set, items }: Superstep): void {
    for (const [name, value] of Object.entries(set ?? {})) {
      if (this.#kinds.get(name) !== "reduce") this.#fail(e, `sets channel ${name}, which has no reducer`);
      this.#values.set(name, value);
    }
    const isWhole = ![...this.#kinds.values()].includes("reduce"); // what a reducer was given is in the hash and not in the log
    for (const { item, update, updateHash } of items) {
      if (isWhole && (update === undefined ? undefined : sha256(canonical(update))) !== updateHash)
        this.#fail(e, `does not say what ${item} returned`);
      for (const [name, value] of Object.entries(update ?? {})) this.#values.set(name, this.#merged(name, value));
    }
  }

  #merged(name: string, update: unknown): unknown {
    const value = this.#values.get(name);
    const several = Array.isArray(update) ? (update as unknown[]) : [update];
    switch (this.#kinds.get(name)) {
      case "last":
        return update;
      case "sum":
        return (value as number) + (update as number);
      case "append":
        return [...(value as unknown[]), ...several];
      case "byId":
        return mergedById(value as WithId[], update, several as WithId[]);
      default:
        throw new Error("no such channel");
    }
  }

  /** SHA-256 of the run, the number, the next items by order key and node, and the canonical text of the state. */
  #keyOf(p: Superstep): string {
    const text = new TextEncoder();
    const next = p.frontier.map(({ node, orderKey }) => ({ node, key: BigInt(orderKey) }));
    next.sort((a, b) => Number(a.key > b.key) - Number(a.key < b.key) || Number(a.node > b.node) - Number(a.node < b.node));
    const names = [...this.#values.keys()].sort();
    const state = `{${names.map((name) => `${JSON.stringify(name)}:${canonical(this.#values.get(name))}`).join(",")}}`;
    const pieces = [text.encode(this.#runId), eightBytes(BigInt(p.n))];
    for (const { node, key } of next) pieces.push(text.encode(node), eightBytes(key));
    pieces.push(text.encode(state));
    const bytes = new Uint8Array(pieces.reduce((n, b) => n + b.length, 0));
    let at = 0;
    for (const b of pieces) {
      bytes.set(b, at);
      at += b.length;
    }
    return `sha256:${sha256(bytes)}`;
  }

  #fail(e: Event, what: string): void {
    this.#report.fail("supersteps", `the superstep of event ${e.runSeq} ${what}`, e.runSeq);
  }
}

interface WithId {
  readonly id: string;
}

/** An item takes the place of the one with its id, or comes last; an object of nothing but `remove` takes items away. */
function mergedById(list: readonly WithId[], update: unknown, several: readonly WithId[]): readonly WithId[] {
  const remove = Array.isArray(update) ? undefined : (update as { remove?: unknown; id?: unknown });
  if (remove?.remove !== undefined && remove.id === undefined && Object.keys(remove).length === 1) {
    const ids = new Set([remove.remove].flat());
    return list.filter((x) => !ids.has(x.id));
  }
  const byId = new Map(list.map((x) => [x.id, x]));
  for (const x of several) byId.set(x.id, x);
  return [...byId.values()];
}

function itemsText(items: readonly SuperstepItem[]): string {
  return JSON.stringify(items.map(({ item, node, orderKey }) => [item, node, orderKey]));
}

/** An unsigned 64-bit number; any other has no key. */
function eightBytes(n: bigint): Uint8Array {
  if (BigInt.asUintN(64, n) !== n) throw new RangeError("not 64 bits");
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, n);
  return bytes;
}

/** Nothing of a log is changed in place: a list that grew costs what was added. */
const texts = new WeakMap<object, string>();

/** RFC 8785: members in the order of the code units of their names. */
function canonical(value: unknown): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  let text = texts.get(value);
  if (text === undefined) {
    const members = value as Json;
    text = Array.isArray(value)
      ? `[${value.map(canonical).join(",")}]`
      : `{${Object.keys(members)
          .sort()
          .map((k) => `${JSON.stringify(k)}:${canonical(members[k])}`)
          .join(",")}}`;
    texts.set(value, text);
  }
  return text;
}

const declaredClasses = new Set<unknown>(["ATOMIC", "KEYED", "VERIFIED", "AT-MOST-ONCE"]);

function checkLedger(files: Map<string, Buffer>, walk: Walk, report: Report): void {
  if (!files.has("ledger.jsonl")) return report.skip("ledger", "the archive has no ledger: effects are known from the log alone");
  const ledger = new Lines(files.get("ledger.jsonl"));
  for (let row = ledger.next(); row !== undefined; row = ledger.next()) {
    const step = walk.steps.get(String(row["stepId"]));
    if (step === undefined || step.seq !== row["seq"]) {
      report.fail("ledger", `the ledger has ${String(row["stepId"])}, the log has not`, row["seq"] as number);
      continue;
    }
    const problem = step.listed ? "the ledger has it twice" : ledgerProblem(row, step);
    step.listed = true;
    if (problem !== null) report.fail("ledger", `${step.stepId}: ${problem}`, step.seq);
  }
  let missing = 0;
  for (const s of walk.steps.values()) if (declaredClasses.has(s.facts["class"]) && !s.unsent && !s.listed) missing++;
  if (missing > 0) report.assumed.push(`${missing} declared effects have no ledger row: they are known from the log alone`);
}

/** It happened, and there is no result available. */
const happened = new Set<unknown>(["RESULT_UNAVAILABLE", "RESULT_INVALID", "NOT_ENCODABLE"]);

function ledgerProblem(row: Json, s: Step): string | null {
  const says = (field: string, wanted: unknown): string | null =>
    row[field] === wanted ? null : `the ledger says ${field} ${JSON.stringify(row[field])}, the log ${JSON.stringify(wanted)}`;
  const named =
    says("name", s.facts["name"]) ?? (row["key"] === undefined || s.facts["key"] === undefined ? null : says("key", s.facts["key"]));
  if (named !== null) return named;
  // A retry that nobody waits for any more is given up when the run ends; the log has no event of its own for that.
  if (row["phase"] === "settled" && s.status === "FAILED" && !s.final)
    return says("class", s.facts["class"]) ?? says("attempts", s.attempt);
  const sent = s.dispatched === "queue" ? "queued" : "dispatched";
  const phase = s.final ? "settled" : s.doubt || s.held ? "doubt" : s.status === "RUNNING" ? sent : "retrying";
  const completed = s.status === "SUCCESS" || (s.final && happened.has(s.category));
  const cls = s.facts["class"];
  const other =
    says("class", cls) ??
    says("attempts", s.attempt) ??
    says("engineAttempts", s.engineAttempt) ??
    says("phase", phase) ??
    says("eventSeq", s.latestSeq);
  if (other !== null) return other;
  if ((row["status"] === "completed") !== completed) return says("status", completed ? "completed" : "not completed");
  const [created, updated] = [time(row["createdAt"]), time(row["updatedAt"])];
  // What may simply run again has a row from its first doubt on.
  // What needed approval has one from the answer on.
  const fromStart =
    declaredClasses.has(cls) && s.facts["approve"] !== true ? created === s.startedAt : created >= s.startedAt && created <= updated;
  if (!fromStart || updated !== s.latestAt) return "its times are not those of its events";
  return null;
}

/** How a step may end that nobody approved. */
const unapprovedEnds = new Set<unknown>(["NOT_APPROVED", "ABANDONED"]);

/** Every attempt ended before the effect, or verify or a person said that nothing happened. */
function certainlyNot(s: Step): boolean {
  const last = s.failures.at(-1);
  if (last === undefined || last.via !== undefined) return last !== undefined;
  const from = s.failures.findLastIndex((x) => x.via === "decision") + 1;
  return s.failures.slice(from).every((x) => x.category === "NOT_SENT") && s.calls <= s.failures.filter((x) => !x.unclaimed).length;
}

/** `ended`: its run has, so that nothing more comes of it. */
function verdictOf(s: Step, ended: boolean): EffectAnswer["verdict"] {
  const cls = s.facts["class"];
  if (s.unsent) return "not-at-all";
  if (s.doubt || (!s.final && !ended)) return "in-doubt";
  if (cls === "ATOMIC") return s.status === "SUCCESS" ? "once" : "not-at-all";
  const bounded = cls === "KEYED" || cls === "VERIFIED" || cls === "AT-MOST-ONCE" || s.calls === 1;
  if (s.status === "SUCCESS" || happened.has(s.category)) return bounded ? "once" : "at-least-once";
  if (certainlyNot(s)) return "not-at-all";
  return bounded ? "at-most-once" : "at-least-once";
}

function checkVerdict(files: Map<string, Buffer>, effects: readonly EffectAnswer[], report: Report): void {
  const data = files.get("proof.json");
  if (data === undefined) return report.skip("verdict", "the archive has no proof");
  const proof = JSON.parse(data.toString("utf8")) as { readonly verdict: unknown; readonly effects: readonly Json[] };
  const nameOf = (e: { readonly [field: string]: unknown }): string => JSON.stringify([e["runId"], e["stepId"]]);
  const said = new Map(proof.effects.map((e) => [nameOf(e), e]));
  const worst = ["in-doubt", "at-least-once", "at-most-once", "once"].find((v) => effects.some((e) => e.verdict === v)) ?? "at-most-once";
  if (proof.verdict !== worst) report.fail("verdict", `the proof says ${JSON.stringify(proof.verdict)} of the run, the log ${worst}`);
  for (const e of effects) {
    const p = said.get(nameOf({ ...e })) ?? {};
    const { class: cls, verdict } = p;
    if (cls !== e.class || verdict !== e.verdict)
      report.fail("verdict", `${e.stepId}: the proof says ${String(cls)} ${String(verdict)}, the log ${e.class} ${e.verdict}`);
    else if (e.runId !== undefined && (p["sends"] !== e.sends || !same(p["sentBy"], e.sentBy) || !same(p["orders"], e.orders)))
      report.fail("verdict", `${e.stepId}: the proof says other sends, or other orders, than the logs of the line`);
  }
  if (proof.effects.length !== effects.length) report.fail("verdict", "the proof is about effects that the log does not have");
}

function answerOf(s: Step, ended: boolean): EffectAnswer {
  const cls = String(s.facts["class"]);
  const state = s.doubt ? "IN DOUBT" : s.status;
  return { stepId: s.stepId, class: cls, sends: s.unsent ? 0 : s.sends, state, verdict: verdictOf(s, ended), answer: repeatText(s, cls) };
}

function repeatText(s: Step, cls: string): string {
  if (s.unsent) return "no: it was never sent";
  if (s.sends === 0 && s.status === "SUCCESS") return "not by this run: its outcome was taken over";
  if (cls === "ATOMIC") return "no: its rows and its outcome are one transaction";
  if (s.sends > 1) {
    if (cls === "KEYED") return `only if the receiver did not keep its word: ${s.sends} sends under one key`;
    if (cls === "VERIFIED") return `only if the receiver answered wrongly: ${s.sends} sends, each after asking`;
    if (cls !== "AT-MOST-ONCE") return `yes: it was sent ${s.sends} times and may repeat`;
  } else if (cls === "AT-MOST-ONCE" && s.denied === "nobody") return "no: sent once, or not at all";
  return s.denied === "nobody" ? "no: sent once" : `only if ${s.denied} was wrong in saying that an earlier send had not happened`;
}

// ---- the run chain

/** What one run of the run chain says of an effect. */
interface RunChainPart {
  readonly runId: string;
  readonly step: Step;
  readonly verdict: EffectAnswer["verdict"];
  /** Of its key, among those of the line; null without one. */
  readonly key: number | null;
  /** Its first start was no send: it followed from what the line had recorded. */
  readonly gated: boolean;
  readonly order: Order | null;
}

/** The run that this one takes over from, by its log, or by the manifest where that payload is not shown. */
function takesOverFrom(run: Json | undefined, walk: Walk): string | null {
  const said = run?.["rootRunId"] === run?.["runId"] ? null : run?.["originalRunId"];
  return walk.before === undefined ? (typeof said === "string" ? said : null) : walk.before;
}

interface RunChain {
  /** Oldest first. */
  readonly runs: readonly Read[];
  readonly missing: readonly string[];
  readonly asOf: string;
}

/** What the manifest says of the line; null when that is nothing that can be used. */
function checkRunChain(own: Read, m: Json, o: VerifyOptions): RunChain | null {
  const { report, files } = own;
  const bad = (text: string): void => report.fail("line", text);
  const line = m["line"] as { readonly asOf: unknown; readonly runs: readonly Json[]; readonly missing: readonly Json[] } | undefined;
  if (!Array.isArray(line?.runs) || !Array.isArray(line.missing)) return (bad("the manifest does not say which runs the line has"), null);
  const runs: Read[] = [];
  const used = new Set<unknown>();
  for (const { runId, member } of line.runs) {
    used.add(member);
    const run = runId === own.runId ? own : readRelative(own, String(runId), files.get(String(member)), o);
    if (runs.some((r) => r.runId === runId)) bad(`run ${String(runId)} is there twice`);
    else if (run !== null) runs.push(run);
  }
  if (!runs.includes(own)) bad("the run itself is not among those of its line");
  for (const name of files.keys()) if (name.startsWith("line/") && !used.has(name)) bad(`${name} is of no run that the manifest names`);
  const latest = Math.max(...runs.map((r) => r.walk.lastAt));
  if (time(line.asOf) !== latest) bad("the line is said to be of another time than its latest event");
  const missing = new Set(line.missing.map((x) => String(x["runId"])));
  for (const [i, { runId, run, walk }] of runs.entries()) {
    const before = takesOverFrom(run, walk);
    const earlier = runs.slice(0, i);
    if (run["origin"] === "external") bad(`no engine wrote run ${runId}, and only engines retry and restart`);
    if (!earlier.every((r) => (r.run["generation"] as number) < (run["generation"] as number)))
      bad(`run ${runId} stands in the wrong place`);
    if (before !== (run["rootRunId"] === runId ? null : run["originalRunId"]))
      bad(`the log of run ${runId} names another run before it than the manifest`);
    if (before === null || earlier.some((r) => r.runId === before) || missing.has(before)) continue;
    bad(`run ${before}, which run ${runId} takes over from, is not here and not said to be missing`);
    missing.add(before);
  }
  report.assumed.push(
    `the line has no other runs: which ones it has is known as of ${String(line.asOf)}, and a later retry or restart is in no log that is here`,
  );
  return { runs, missing: [...missing], asOf: String(line.asOf) };
}

/** Another run of the line, from its own archive; null when that is not here. */
function readRelative(own: Read, runId: string, archive: Buffer | undefined, o: VerifyOptions): Read | null {
  const { report } = own;
  const bad = (text: string): void => report.fail("line", text);
  const other = archive === undefined ? null : read(archive, { key: o.key, witness: o.witness }, 1);
  if (other === null || other.runId !== runId) return (bad(`the log of run ${runId} is not here`), null);
  for (const c of other.report.checks()) if (c.state === "fail") bad(`run ${runId}: ${c.check}: ${c.detail}`);
  for (const field of ["tenantId", "projectId", "environmentId", "workflowId", "rootRunId"])
    if (other.run[field] !== own.run[field]) bad(`run ${runId} is of another line: its ${field} is another`);
  for (const what of ["assumed", "unsealed"] as const)
    for (const text of other.report[what])
      if (text !== unsigned && !report[what].includes(text)) report[what].push(`run ${runId}: ${text}`);
  return other;
}

/** line.jsonl beside the logs: what it says of payloads that are shown must be what they say. */
function runChainParts(files: Map<string, Buffer>, runs: readonly Read[], report: Report): RunChainPart[] {
  const said = new Map<string, Json>();
  const lines = new Lines(files.get("line.jsonl"));
  for (let l = lines.next(); l !== undefined; l = lines.next()) {
    const id = JSON.stringify([l["runId"], l["runSeq"], l["stepId"]]);
    if (said.has(id)) report.fail("line", `line.jsonl has ${id} twice`);
    said.set(id, l);
  }
  const numbers = new Map<unknown, unknown>();
  const keys = new Map<unknown, unknown>();
  let claimed = 0;
  const parts: RunChainPart[] = [];
  for (const { runId, walk } of runs)
    for (const step of effectsOf(walk)) {
      const id = JSON.stringify([runId, step.seq, step.stepId]);
      const l = said.get(id) ?? {};
      if (!said.delete(id)) report.fail("line", `line.jsonl does not say of ${step.stepId} of run ${runId} how it counts`);
      const number = whole(l["key"], 1) ? l["key"] : null;
      const gated = l["gated"] === true;
      if (!step.shown) claimed++;
      else {
        const { key, line, rerun } = step.facts as { readonly key?: string; readonly line?: Json; readonly rerun?: Json };
        const fits = (numbers.get(key) ?? number) === number && (number === null || (keys.get(number) ?? key) === key);
        numbers.set(key, number);
        if (number !== null) keys.set(number, key);
        const isGated = line !== undefined && line["then"] !== "run" && line["then"] !== "newKey";
        if (!fits || (key === undefined) !== (number === null) || gated !== isGated || !same(rerun, l["rerun"]))
          report.fail("line", `line.jsonl does not say of ${step.stepId} of run ${runId} what its log says`);
      }
      const { by, reason } = (l["rerun"] ?? {}) as Json;
      const order = l["rerun"] === undefined ? null : { runId, by: String(by), reason: String(reason) };
      parts.push({ runId, step, verdict: verdictOf(step, settled.has(walk.status)), key: number, gated, order });
    }
  if (said.size > 0) report.fail("line", "line.jsonl is about effects that no log has");
  if (claimed > 0)
    report.assumed.push(
      `${claimed} effects of the line begin in payloads that are not shown whole: what line.jsonl says of them is the maker's word`,
    );
  return parts;
}

/** What the runs say of one effect each: known by its key, or by its step where it has none. Two steps of one run are two effects. */
function effectsOverRunChain(parts: readonly RunChainPart[]): RunChainPart[][] {
  const found = new Map<string, RunChainPart[][]>();
  const all: RunChainPart[][] = [];
  for (const part of parts) {
    const { facts, stepId } = part.step;
    const id = JSON.stringify([facts["kind"], part.key, part.key === null ? stepId : null]);
    const known = found.get(id) ?? [];
    const others = known.filter((g) => g.at(-1)!.runId !== part.runId);
    const group = others.find((g) => g.at(-1)!.step.stepId === stepId) ?? others[0];
    if (group !== undefined) group.push(part);
    else {
      const made = [part];
      all.push(made);
      found.set(id, [...known, made]);
    }
  }
  return all;
}

const verdictBounds: Readonly<Record<EffectAnswer["verdict"], readonly [least: number, most: number]>> = {
  "not-at-all": [0, 0],
  "at-most-once": [0, 1],
  once: [1, 1],
  "at-least-once": [1, Number.POSITIVE_INFINITY],
  "in-doubt": [0, Number.POSITIVE_INFINITY],
};
const adopted = (s: Step): boolean => s.status === "SUCCESS" && s.via === "adopted";
/** Verify, or a person, said that nothing had happened. */
const saidNotHappened = (s: Step): boolean => s.failures.some((x) => x.via !== undefined);

/** The receiver takes both for one: the same key, inside its window. */
function oneForReceiver(first: RunChainPart, p: RunChainPart): boolean {
  const [a, b] = [first.step, p.step];
  if (a.facts["class"] !== "KEYED" || b.facts["class"] !== "KEYED" || first.key !== p.key) return false;
  const window = [a, b].map((s) => (s.facts["dedupMs"] as number | undefined) ?? 0);
  return b.lastCall < a.firstCall + Math.min(...window);
}

/** How often it can have taken effect over the line, oldest run first. */
function countRunChain(
  parts: readonly RunChainPart[],
): Pick<EffectAnswer, "verdict" | "sends"> & { readonly sentBy: string[]; readonly more: boolean } {
  let [least, most, sends] = [0, 0, 0];
  let first: RunChainPart | null = null;
  const sentBy: string[] = [];
  for (const p of parts) {
    const { step: s } = p;
    const own = s.unsent || adopted(s) ? 0 : p.gated ? s.calls - 1 : s.calls;
    const [l, m] = verdictBounds[p.verdict];
    if (own === 0) {
      if (s.status === "SUCCESS" && !adopted(s)) [least, most] = [Math.max(least, 1), Math.max(most, 1)];
      else if (saidNotHappened(s) && least === 0) most = 0;
      continue;
    }
    sends += own;
    sentBy.push(p.runId);
    if (first !== null && oneForReceiver(first, p)) [least, most] = [Math.max(least, l), Math.max(most, m)];
    else if (least === 0 && p.gated && (saidNotHappened(s) || s.facts["class"] === "VERIFIED")) [least, most] = [l, m];
    else [least, most] = [least + l, most + m];
    first ??= p;
  }
  const bounded = most === 0 ? "not-at-all" : most > 1 ? "at-least-once" : least === 1 ? "once" : "at-most-once";
  return { verdict: parts.some((p) => p.verdict === "in-doubt") ? "in-doubt" : bounded, sends, sentBy, more: most > 1 };
}

/** What a run sent whose log is not here: it may have been the same. */
function weakenForMissing(verdict: EffectAnswer["verdict"], missing: readonly string[]): EffectAnswer["verdict"] {
  if (missing.length === 0) return verdict;
  return verdict === "once" || verdict === "at-least-once" ? "at-least-once" : "in-doubt";
}

function runChainAnswer(parts: readonly RunChainPart[], missing: readonly string[]): EffectAnswer {
  const last = parts.at(-1) as RunChainPart;
  const { step: s, runId } = last;
  const alone = answerOf(s, false);
  const { verdict, sends, sentBy, more } = countRunChain(parts);
  const orders = parts.flatMap((p) => p.order ?? []);
  const said = parts.length === 1 ? last.verdict : verdict;
  return {
    ...alone,
    sends: parts.length === 1 ? s.calls : sends,
    verdict: weakenForMissing(said, missing),
    answer: [
      parts.length === 1 ? alone.answer : overRunChain(parts, said, sends, sentBy, more),
      ...orders.map((x) => `sent again by run ${x.runId} on the order of ${x.by}: ${x.reason}`),
      ...(missing.length === 0 ? [] : [`what run ${missing.join(", ")} sent is not here`]),
    ].join("; "),
    runId,
    sentBy,
    ...(orders.length === 0 ? {} : { orders }),
  };
}

function overRunChain(
  parts: readonly RunChainPart[],
  verdict: EffectAnswer["verdict"],
  sends: number,
  sentBy: readonly string[],
  more: boolean,
): string {
  if (sends === 0) return "no: it was never sent";
  const by = sentBy.length === 1 ? `by run ${String(sentBy[0])}` : `by ${sentBy.length} of the ${parts.length} runs that called it`;
  if (verdict === "in-doubt") return `not known yet: ${sends} sends, ${by}`;
  if (sends === 1) return `no: sent once, ${by}`;
  if (more) return `yes: ${sends} sends, ${by}, and more than one may have taken effect`;
  const cls = parts[0]?.step.facts["class"];
  const unless =
    cls === "KEYED" ? "the receiver did not keep its word" : "somebody was wrong in saying that an earlier send had not happened";
  return `only if ${unless}: ${sends} sends, ${by}`;
}

// ---- all of it

export interface VerifyOptions {
  /** Public keys that seals must be of, PEM, as `pawl keys` writes them: seals are demanded. */
  readonly key?: string | undefined;
  /** The public key that must have signed the archive itself, PEM. */
  readonly signer?: string | undefined;
  /** The lines that `pawl witness` wrote. */
  readonly witness?: string | undefined;
}

export function verify(archive: Uint8Array, o: VerifyOptions = {}): Verification {
  const own = read(archive, o);
  const { report, files, manifest, run, runId, walk, seals, events, signedBy } = own;
  let { effects } = own;
  let line: VerifiedRunChain | null = null;
  if (manifest?.["format"] === 3)
    failOnThrow(report, () => {
      const found = checkRunChain(own, manifest, o);
      if (found === null) return report.skip("verdict", "the line cannot be counted");
      const { runs, missing, asOf } = found;
      effects = effectsOverRunChain(runChainParts(files, runs, report)).map((parts) => runChainAnswer(parts, missing));
      checkVerdict(files, effects, report);
      const shown = runs.map((r) => ({ runId: r.runId, status: r.walk.status, events: r.events, sealed: r.seals.covered }));
      line = { asOf, runs: shown, missing };
    });
  else if (manifest !== null && run["origin"] !== "external") effects = singleRunAnswers(own);
  if (manifest?.["format"] === 1) report.skip("line", "the archive is of one run alone");
  return {
    ok: !report.failed,
    runId,
    status: walk.status,
    events,
    signedBy,
    sealed: seals.covered,
    line,
    checks: report.checks(),
    effects,
    assumed: report.assumed,
    unsealed: report.unsealed,
  };
}

/** The proof of an archive without its line speaks of the run; what is answered speaks of the effect, and must say less. */
function singleRunAnswers({ run, walk, effects, report }: Read): readonly EffectAnswer[] {
  const before = takesOverFrom(run, walk);
  report.assumed.push(
    before === null
      ? "no other run retried or restarted it: a later one is in no log that is here"
      : `the run takes over from run ${before}: what that one sent is in its own evidence`,
  );
  if (before === null) return effects;
  return effects.map((e) => ({
    ...e,
    verdict: weakenForMissing(e.verdict, [before]),
    answer: `${e.answer}; what run ${before} sent is not here`,
  }));
}

/** An archive may be anything: what it makes us stumble over is its failure. */
function failOnThrow(report: Report, check: () => void): void {
  try {
    check();
  } catch (e) {
    report.fail(
      "archive",
      e instanceof SyntaxError || e instanceof TypeError ? "a member is not what its name says" : (e as Error).message,
    );
  }
}

interface Read {
  readonly report: Report;
  readonly files: Map<string, Buffer>;
  readonly manifest: Json | null;
  readonly run: Json;
  readonly runId: string;
  readonly walk: Walk;
  readonly seals: Seals;
  readonly signedBy: string | null;
  readonly events: number;
  /** Of this run alone. */
  readonly effects: readonly EffectAnswer[];
}

/** All that is checked of the log of one run. `format`: the only one that will do. */
function read(archive: Uint8Array, o: VerifyOptions, format?: number): Read {
  const report = new Report();
  const files = members(Buffer.from(archive.buffer, archive.byteOffset, archive.byteLength), report);
  const manifest = readManifest(files, report);
  const signedBy = manifest === null ? null : checkSignature(files, manifest, o.signer, report);
  let events = 0;
  let effects: readonly EffectAnswer[] = [];
  const run = (manifest?.["run"] ?? {}) as Json;
  const runId = (run["runId"] as string | undefined) ?? "";
  const external = run["origin"] === "external";
  const walk = new Walk(report, typeof run["originalRunId"] === "string", external);
  const seals = new Seals(o.key, report);
  const witness = new Witness(o.witness, manifest === null ? undefined : runId, report);
  if (format !== undefined && manifest !== null && manifest["format"] !== format)
    report.fail("manifest", `this is not evidence of format ${format}`);
  if (manifest === null) for (const c of Object.keys(checkNames).slice(2) as CheckName[]) report.skip(c, "there is nothing to check");
  else {
    checkDigests(files, manifest, report);
    failOnThrow(report, () => {
      events = checkLog(files, manifest, walk, report, seals, witness);
      checkLedger(files, walk, report);
      effects = effectsOf(walk).map((s) => answerOf(s, settled.has(walk.status)));
      if (manifest["format"] === 1) checkVerdict(files, effects, report);
      if (external) reportExternalAssumptions(walk, report);
    });
  }
  return { report, files, manifest, run, runId, walk, seals, signedBy, events, effects };
}

function effectsOf(walk: Walk): Step[] {
  return [...walk.steps.values()].filter((s) => s.facts["class"] !== undefined);
}

function checkLog(files: Map<string, Buffer>, m: Json, walk: Walk, report: Report, seals: Seals, witness: Witness): number {
  const { runId, tenantId, projectId, environmentId, status } = m["run"] as Json & Run & { status: string };
  const { workflow, version } = m["definition"] as { workflow: string; version: string };
  const run: Run = { runId, tenantId, projectId, environmentId, planId: workflow, planVersion: version };
  const external = (m["run"] as Json)["origin"] === "external";
  const stray = (name: string): void =>
    report.fail(sideFileChecks.get(name) ?? "effects", `${name} has a line about no event, or out of order`);
  const payloads = new SideFile(files, "payloads.jsonl", stray);
  const effects = new SideFile(files, "effects.jsonl", stray);
  const operators = new SideFile(files, "operators.jsonl", stray);
  const sealLines = new SideFile(files, "seals.jsonl", stray);
  const keys = new Repeats("idempotencyKey");
  const eventIds = new Repeats("eventId");
  const frame = frameOf(run);
  const supersteps = new Supersteps(runId, report);
  let prev: Event | null = null;
  let count = 0;
  let claimed = 0;
  let sealedThrough = 0;
  let settledAt: unknown;
  const log = new Lines(files.get("events.jsonl"));
  for (let line = log.next(); line !== undefined; line = log.next()) {
    const e = readEvent(line, run, report);
    count++;
    checkPlace(prev, e, report);
    const key = sha256(`${run.runId}|${e.stepId ?? "RUN"}|${e.logicalAttemptId}|${e.eventType}|${run.planId}|${run.planVersion}`);
    if (key !== e.idempotencyKey) {
      report.fail("keys", `event ${e.runSeq}: the key is not that of its fields`, e.runSeq);
      checkForm(e.idempotencyKey, e, report);
    }
    keys.take(e.idempotencyKey);
    eventIds.take(e.eventId);
    if (linkOf(frame, prev, e) !== e.link) {
      report.fail("chain", `event ${e.runSeq} does not follow from what stands before it`, e.runSeq);
      checkForm(e.link, e, report);
    }
    if (prev !== null && prev.stateVersion !== e.stateVersion) sealedThrough = prev.runSeq;

    const payload = readPayload(e, payloads.of(e.runSeq), report);
    const claim = effects.of(e.runSeq);
    const operator = operators.of(e.runSeq);
    if (external) {
      if (claim !== null || operator !== null)
        report.fail("effects", `something is claimed of event ${e.runSeq}, for which its producer alone can speak`, e.runSeq);
    } else if (payload?.sealed === true) checkSideFiles(e, payload.facts, claim, operator, report);
    else if (e.payloadHash !== null) claimed++;
    walk.take(e, payload?.sealed === true ? payload.facts : (claim ?? {}), payload?.sealed === true);
    if (!external) seals.take(frame, prev, e, sealLines.of(e.runSeq));
    if (!external) supersteps.take(e, payload?.sealed === true ? payload.facts : null);
    witness.take(e);
    settledAt = payload?.sealed === true ? payload.facts["settledAt"] : undefined;
    prev = e;
  }
  for (const b of [payloads, effects, operators, sealLines]) b.end();
  supersteps.end();
  const [keyTwice, idTwice] = [keys, eventIds].map((r) => r.found(new Lines(files.get("events.jsonl")))) as [number[], number[]];
  for (const runSeq of new Set([...keyTwice, ...(external ? [] : idTwice)]))
    report.fail("keys", `event ${runSeq}: its key or its eventId is there twice`, runSeq);
  if (external && idTwice.length > 0)
    report.assumed.push(`its producers gave an eventId to two events: runSeq ${firstFew(idTwice)} have one of an earlier event`);
  const head = m["head"] as Json;
  if (prev === null || prev.link !== head["link"] || prev.runSeq !== head["runSeq"])
    report.fail("chain", "the log does not end at the head that the manifest names", prev?.runSeq);
  // A run that nothing has begun yet is PENDING for every reader.
  const derived = external && walk.status === "none" ? "PENDING" : walk.status;
  if (derived !== status) report.fail("status", `the manifest says ${status}, the log says ${walk.status}`, prev?.runSeq);
  const ended = !external && settled.has(walk.status);
  const covered = seals.end(external, ended, prev?.runSeq ?? 0);
  const seen = witness.end(prev?.runSeq ?? 0);
  const timed = ended && prev !== null && checkEnd(prev, settledAt ?? seals.endAt, sealedThrough, report);
  reportAssumptions(
    m,
    claimed,
    timed ? (prev as Event).runSeq : sealedThrough,
    covered || seen,
    ended,
    external || walk.before !== undefined,
    report,
  );
  return count;
}

const sideFileChecks: ReadonlyMap<string, CheckName> = new Map([
  ["payloads.jsonl", "payloads"],
  ["seals.jsonl", "seals"],
]);

/** How far the store's time of the last Commit may be from the time that the end states. */
const endToleranceMs = 10_000;

/**
 * Nothing follows the end that could seal its time, so the end states it. True when both agree. Where they do not, the store's
 * clock may have jumped or the Commit been late: that proves nothing, so it is said and is no failure.
 */
function checkEnd(last: Event, stated: unknown, sealedThrough: number, report: Report): boolean {
  const events = `persistedAt of events ${sealedThrough + 1} to ${last.runSeq}`;
  if (typeof stated !== "number") {
    report.unsealed.push(`${events}: the end states no time, or in a payload that is not shown`);
    return false;
  }
  const ms = last.persistedAt - stated;
  if (Math.abs(ms) <= endToleranceMs) return true;
  const how = `${Math.abs(ms)} ms ${ms > 0 ? "after" : "before"} the time that the end states`;
  report.unsealed.push(`${events}: it is ${how}; the Commit was late, a clock jumped, or it was changed`);
  return false;
}

// ---- seals and witnesses

/** The keys of a keyring, by id: the first is trusted, each further one is signed by one above it. Null when it is none. */
function ringOf(text: string): Map<string, KeyObject> | null {
  const ring = new Map<string, KeyObject>();
  try {
    const blocks = /(?:^Replaces: (\S+) (\S+)\s+)?(-----BEGIN PUBLIC KEY-----[\s\S]*?-----END PUBLIC KEY-----)/gm;
    for (const [, replaced, signature, pem] of text.matchAll(blocks)) {
      const key = createPublicKey(String(pem));
      const spki = key.export({ format: "der", type: "spki" });
      const above = ring.get(String(replaced));
      const said = Buffer.from(`pawl.key.replaced-by\n${spki.toString("base64")}`);
      if (key.asymmetricKeyType !== "ed25519") return null;
      if (ring.size > 0 && (above === undefined || !verifySignature(null, said, above, Buffer.from(String(signature), "base64"))))
        return null;
      ring.set(sha256(spki).slice(0, 16), key);
    }
  } catch {
    return null;
  }
  return ring.size === 0 ? null : ring;
}

/** The seals of a log, event by event. Without a key they are counted, and prove nothing. */
class Seals {
  readonly #report: Report;
  readonly #ring: Map<string, KeyObject> | null;
  readonly #asked: boolean;
  readonly #used = new Set<string>();
  #count = 0;
  #through = 0;
  #ended = false;
  /** What the event behind the last seal must be, if it sealed an end. */
  #behind: unknown = null;
  #at: unknown;

  constructor(keys: string | undefined, report: Report) {
    this.#report = report;
    this.#asked = keys !== undefined;
    this.#ring = keys === undefined ? null : ringOf(keys);
    if (this.#asked && this.#ring === null)
      report.fail("seals", "the keys that were given are not Ed25519 public keys, or one of them is not vouched for");
  }
  get covered(): Verification["sealed"] {
    return this.#ring === null ? null : { through: this.#through, end: this.#ended, keys: [...this.#used] };
  }
  /** The time that a seal of the end states. */
  get endAt(): unknown {
    return this.#ended ? this.#at : undefined;
  }

  take(frame: Frame, prev: Event | null, e: Event, line: Json | null): void {
    if (this.#behind !== null) {
      this.#ended = sha256(writeOf(frame, e)) === this.#behind;
      if (this.#ended) this.#through = e.runSeq;
      else this.#report.fail("seals", `event ${e.runSeq} is not the end that was sealed`, e.runSeq);
      this.#behind = null;
    }
    if (e.eventType !== "pawl.HeadSealed") {
      if (line !== null) this.#report.fail("seals", `seals.jsonl has a line about event ${e.runSeq}, which is not a seal`, e.runSeq);
      return;
    }
    this.#count++;
    const problem = this.#problem(prev, e, line);
    if (problem !== null) return this.#report.fail("seals", `the seal at event ${e.runSeq}: ${problem}`, e.runSeq);
    if (this.#ring !== null) this.#through = prev?.runSeq ?? 0;
  }

  #problem(prev: Event | null, e: Event, line: Json | null): string | null {
    if (line === null) return this.#ring === null ? null : "it is not shown";
    const text = String(line["payload"]);
    if (sha256(`${String(line["salt"])}\n${text}`) !== e.payloadHash) return "what is shown of it is not the one in the chain";
    if (this.#ring === null) return null;
    try {
      const { statement, signature } = JSON.parse(text) as { statement: string; signature: string };
      const s = JSON.parse(statement) as Json;
      const key = this.#ring.get(String(s["keyId"]));
      if (key === undefined) return `it is of key ${String(s["keyId"])}, which is not among those given`;
      if (!verifySignature(null, Buffer.from(statement), key, Buffer.from(signature, "base64"))) return "its signature does not fit";
      const sealedAt = prev !== null && prev.stateVersion !== e.stateVersion ? prev.persistedAt : null;
      const own = s["eventId"] === e.eventId && s["emittedAt"] === e.emittedAt && s["stateVersion"] === e.stateVersion;
      if (s["kind"] !== "pawl.seal" || s["v"] !== 1 || !own) return "it is not the seal of this place";
      if (s["seq"] !== prev?.runSeq || s["link"] !== prev?.link || s["sealedAt"] !== sealedAt)
        return "the log before it is not the one that was sealed";
      this.#used.add(String(s["keyId"]));
      this.#behind = s["end"];
      this.#at = s["at"];
      return null;
    } catch {
      return "it cannot be read";
    }
  }

  /** True when seals cover the end of the log. */
  end(external: boolean, ended: boolean, head: number): boolean {
    const { unsealed } = this.#report;
    if (external) {
      this.#report.skip("seals", "no engine wrote this run, and only engines seal");
      if (this.#asked) unsealed.push("the log of a run that its producers wrote: only a witness shows that it was not rewritten");
      return false;
    }
    if (!this.#asked) {
      const what = this.#count === 0 ? "the log is not sealed" : `${this.#count} seals, not checked: give the public key (--key)`;
      this.#report.skip("seals", what);
      return false;
    }
    if (this.#behind !== null) this.#report.fail("seals", "the end that was sealed is missing", head);
    if (ended && !this.#ended) this.#report.fail("seals", "the run has ended and no seal of a given key covers its end", head);
    if (!ended && this.#through < head) {
      unsealed.push(`events ${this.#through + 1} to ${head}: they come after the last seal`);
      if (this.#through === 0) this.#report.skip("seals", "the run has not ended, and nothing of it is sealed yet");
    }
    return this.#ended && this.#through === head;
  }
}

/** What was seen of this run from outside: heads, each a place and its link. */
class Witness {
  readonly #report: Report;
  readonly #heads = new Map<number, string>();
  readonly #asked: boolean;
  #seen = 0;

  constructor(text: string | undefined, runId: unknown, report: Report) {
    this.#report = report;
    this.#asked = text !== undefined;
    if (text === undefined) report.skip("witness", "no witness was given");
    const lines = (text ?? "").split("\n");
    for (const [i, line] of lines.entries()) {
      try {
        const head = line === "" ? {} : (JSON.parse(line) as Json);
        if (head["runId"] !== runId) continue;
        const [seq, link] = [head["runSeq"] as number, String(head["link"])];
        if ((this.#heads.get(seq) ?? link) !== link) report.fail("witness", `the witness has two links for event ${seq}`, seq);
        this.#heads.set(seq, link);
        this.#seen = Math.max(this.#seen, seq);
      } catch {
        // A crash of the witness may have cut its last line.
        if (i < lines.length - 1) report.fail("witness", `line ${i + 1} of the witness cannot be read`);
      }
    }
    if (this.#asked && this.#heads.size === 0) report.skip("witness", "the witness has not seen this run");
  }
  take(e: Event): void {
    const link = this.#heads.get(e.runSeq);
    if (link !== undefined && link !== e.link)
      this.#report.fail("witness", `event ${e.runSeq} is not the one that the witness saw`, e.runSeq);
    this.#heads.delete(e.runSeq);
  }
  /** True when the witness saw the last event. */
  end(head: number): boolean {
    if (this.#heads.size > 0) this.#report.fail("witness", `the witness saw event ${Math.max(...this.#heads.keys())}, which is not there`);
    else if (this.#asked && this.#seen < head)
      this.#report.unsealed.push(`events ${this.#seen + 1} to ${head}: the witness has not seen them`);
    return this.#asked && this.#seen === head && this.#heads.size === 0;
  }
}

/** A hash that is the one we computed has the right form; any other is looked at. */
function checkForm(hash: unknown, e: Event, report: Report): void {
  if (typeof hash !== "string" || !hex64.test(hash))
    report.fail("envelopes", `event ${String(e.runSeq)}: a hash is not 64 hex digits`, e.runSeq);
}

function checkPlace(prev: Event | null, e: Event, report: Report): void {
  const bad = (what: string): void => report.fail("order", `event ${e.runSeq}: ${what}`, e.runSeq);
  if (prev === null) return;
  if (e.runSeq <= prev.runSeq) bad("runSeq does not rise");
  if (e.stateVersion < prev.stateVersion) bad("stateVersion goes back");
  if (e.stateVersion === prev.stateVersion && e.persistedAt !== prev.persistedAt) bad("events of one Commit differ in persistedAt");
  if (e.persistedAt < prev.persistedAt) bad("persistedAt goes back");
}

function checkSideFiles(e: Event, payload: Json, claim: Json | null, operator: Json | null, report: Report): void {
  const ofStep = stepTypes.has(e.eventType) || (stepNotices.has(e.eventType) && payload["stepId"] !== undefined);
  const stepId = e.stepId ?? payload["stepId"];
  if (
    (claim !== null) !== ofStep ||
    (claim !== null && (claim["stepId"] !== stepId || claim["eventType"] !== e.eventType || !agrees(claim, payload, factFields)))
  )
    report.fail("effects", `effects.jsonl does not say of event ${e.runSeq} what the log says`, e.runSeq);
  if (
    (operator !== null) !== operatorTypes.has(e.eventType) ||
    (operator !== null && (operator["eventType"] !== e.eventType || !agrees(operator, payload, operatorFields)))
  )
    report.fail("effects", `operators.jsonl does not say of event ${e.runSeq} what the log says`, e.runSeq);
}

/** What an engine promises, and a producer outside does not. */
const enginesOnly: readonly CheckName[] = [
  "outcomes",
  "timers",
  "attempts",
  "at-most-once",
  "dedup",
  "settle",
  "doubt",
  "supersteps",
  "ledger",
];

function reportExternalAssumptions(walk: Walk, report: Report): void {
  for (const check of enginesOnly) report.skip(check, "no engine wrote this run: its producers promise nothing of the kind");
  report.assumed.push("the run was written by producers outside an engine: that what they say took place is their word");
  const { odd } = walk;
  if (odd.length === 0) return;
  report.skip("transitions", `${odd.length} of its producers' events are not allowed in the state of the run`);
  const what =
    odd.length === 1
      ? "1 event is invalid (not allowed in the state of the run) and changes"
      : `${odd.length} events are invalid (not allowed in the state of the run) and change`;
  report.assumed.push(`${what} no state: runSeq ${firstFew(odd)}`);
}

const firstFew = (at: readonly number[]): string => `${at.slice(0, 20).join(", ")}${at.length > 20 ? " …" : ""}`;

const unsigned = "the archive is not signed: that it came from the store it names is taken on trust";

/** What no computation over the archive can show. */
function reportAssumptions(
  m: Json,
  claimed: number,
  sealedThrough: number,
  vouched: boolean,
  ended: boolean,
  named: boolean,
  report: Report,
): void {
  const store = m["store"] as Json;
  if (m["signer"] === undefined) report.assumed.push(unsigned);
  if (claimed > 0) report.assumed.push(`${claimed} payloads are left out or redacted: what effects.jsonl says of them is the maker's word`);
  if (!named) report.assumed.push("the first payload is not shown whole: which run it takes over from, if any, is the maker's word");
  if (store["identity"] !== store["identityRecorded"])
    report.assumed.push("the store's physical identity is not the one it had: it may be a restored copy");
  for (const u of Array.isArray(store["unsafe"]) ? store["unsafe"] : [])
    report.assumed.push(`the store was opened with an unsafe setting: ${String(u)}`);
  if (store["persistence"] === "volatile") report.assumed.push("the store keeps nothing beyond its process");
  report.assumed.push(
    "the store's clock is right to within the windows that depend on it; receivers keep the windows they declared and answer verify truthfully",
  );
  const head = (m["head"] as Json)["runSeq"] as number;
  if (!ended && sealedThrough < head)
    report.unsealed.push(`persistedAt of events ${sealedThrough + 1} to ${head}: the next Commit will seal it`);
  if (!settled.has(String((m["run"] as Json)["status"])))
    report.unsealed.push("the run has not ended: what comes after the head is not here");
  if (vouched) return;
  report.assumed.push(
    "nobody who can write to the store rewrote the log: the chain has no key, and shows damage and partial change only (seals: --key; heads kept elsewhere: --witness)",
  );
  report.unsealed.push(
    "that the log was not cut off at its end before it was exported" + (m["signer"] === undefined ? "" : ": the signer's word"),
  );
}

export function textOf(v: Verification): string {
  const marks = { pass: "ok  ", fail: "FAIL", skipped: "-   " };
  const effects = v.effects.map((e) => `  ${e.stepId}  ${e.class}  ${e.state}: ${e.answer}\n`);
  const others = v.line === null ? [] : v.line.runs.map((r) => `  ${r.runId}  ${r.status}  ${r.events} events\n`);
  return [
    `run ${v.runId}  ${v.status}  ${v.events} events${v.signedBy === null ? "" : `  signed by ${v.signedBy}`}\n`,
    ...(v.line === null ? [] : [`run chain, as of ${v.line.asOf}, oldest first:\n`, ...others]),
    ...(v.line === null ? [] : v.line.missing.map((runId) => `  ${runId}  what it sent is not here\n`)),
    ...v.checks.map(
      (c) => `${marks[c.state]}  ${c.check.padEnd(13)} ${c.detail}${c.at.length === 0 ? "" : ` [runSeq ${c.at.join(", ")}]`}\n`,
    ),
    ...(effects.length === 0 ? [] : ["could it have happened twice?\n", ...effects]),
    ...v.assumed.map((a) => `assumed: ${a}\n`),
    ...v.unsealed.map((u) => `not sealed: ${u}\n`),
    v.ok ? "verified\n" : "NOT verified\n",
  ]
    .join("")
    .replaceAll(/[^\P{Cc}\n]/gu, " "); // an archive must not be able to steer a terminal
}

/** Whether it begins or ends as a zip does. A zip that was cut or damaged still counts as one: it is checked, and fails. */
export function isZip(data: Uint8Array): boolean {
  const zip = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  return zip.subarray(0, 4).equals(Buffer.from([0x50, 0x4b, 3, 4])) || zip.includes(Buffer.from([0x50, 0x4b, 5, 6]));
}

const usage =
  "usage: node verify.js <evidence.zip> [--key <public keys of the seals, PEM file>] [--signer <public key of the archive, PEM file>] [--witness <file>] [--json]\n";

/** As a program of its own. 0: verified; 9: not; 2: it could not be asked. */
function main(args: readonly string[]): number {
  const given = new Map<string, string>();
  const rest: string[] = [];
  for (let i = 0; i < args.length; i++) {
    const arg = String(args[i]);
    if (["--key", "--signer", "--witness"].includes(arg)) given.set(arg, String(args[++i] ?? ""));
    else if (arg !== "--json") rest.push(arg);
  }
  const [file] = rest;
  if (file === undefined || rest.length !== 1 || file.startsWith("-") || [...given.values()].includes(""))
    return (process.stderr.write(usage), 2);
  const text = (option: string): string | undefined => {
    const path = given.get(option);
    return path === undefined ? undefined : readFileSync(path, "utf8");
  };
  try {
    const archive = readFileSync(file);
    const key = text("--key");
    if (key?.includes("PRIVATE KEY-----")) throw new Error("--key names a private key: give the public keys (<file>.pub)");
    if (!isZip(archive)) throw new Error(`${file} is not a zip: there is nothing to check`);
    const v = verify(archive, { key, signer: text("--signer"), witness: text("--witness") });
    process.stdout.write(args.includes("--json") ? `${JSON.stringify(v, null, 2)}\n` : textOf(v));
    return v.ok ? 0 : 9;
  } catch (e) {
    return (process.stderr.write(`${(e as Error).message}\n${usage}`), 2);
  }
}

// Started through a link (pnpm and npm link install packages as links) it must not end with 0 and nothing checked.
const [, started = ""] = process.argv;
if (existsSync(started) && import.meta.url === pathToFileURL(realpathSync(started)).href) process.exitCode = main(process.argv.slice(2));
