// The evidence of a run: an archive that can be taken away and checked offline by anyone who trusts neither us nor the store
// (docs/reference/evidence-format.md is its specification, src/verify.ts checks it and shares no code with this file). The same log gives
// the same bytes: there is no time of export in it. It must never decide or leave out an event: what is there, is shown; and
// a payload that is left out or redacted must take its salt with it.
import type { EvidenceManifest } from "../core/contract.ts";
import { PawlError } from "../errors/error.ts";
import { sha256Hex } from "../platform/crypto/hash.ts";
import { ownVersion } from "../platform/own-package.ts";
import { ed25519Signer, type Signer } from "../platform/crypto/ed25519-pem.ts";
import { zipOf, type ZipMember } from "../platform/zip.ts";
import type { EffectRecord, EventRecord, RunRow, StoreInfo } from "../store/port.ts";
import { toTimeText, toRecord } from "../events/envelope.ts";
import {
  runChainFacts,
  manifestRunChain,
  relativeFileName,
  runsInOrder,
  historiesOf,
  type EvidenceRunChain,
  type RunHistories,
} from "./evidence-run-chain.ts";
import { effectLine, operatorLine } from "./evidence-events.ts";
import { pawlEvents } from "../events/payload.ts";
import { proofOf } from "../events/proof.ts";
import { redactModes, redactPayload, parseRedactPaths, type RedactAs, type RedactPath } from "./redact.ts";

export interface EvidenceOptions {
  /** false leaves every payload out; the chain stays whole. */
  readonly payloads?: boolean;
  /** Paths inside payloads, as "input.card.number", "*.email" or "**.email", whose values are replaced. */
  readonly redact?: readonly string[];
  /** How those values leave: as "[redacted]" (`mask`, the default), not at all (`remove`), or as a salted digest (`hash`). */
  readonly redactAs?: RedactAs;
  /** An Ed25519 private key, PEM: the manifest is signed. */
  readonly key?: string;
}
/** What is known of the run, all of one moment: `events` ends at the row's head. */
export interface EvidenceSource {
  readonly row: RunRow;
  readonly store: { readonly name: string; readonly persistence: EvidenceManifest["store"]["persistence"]; readonly info: StoreInfo };
  readonly events: readonly EventRecord[];
  /** null when it could not be read at the same moment. */
  readonly ledger: readonly EffectRecord[] | null;
  /** Null: no other run is known that it retries or restarts, or that does so to it. */
  readonly runChain: EvidenceRunChain<EvidenceSource> | null;
}
/** How a payload leaves: whole, as a redacted copy, or not at all. */
type ShownPayload = { readonly text: string; readonly whole: boolean } | null;

/** Checked before anything is read. */
export interface EvidencePlan {
  readonly payloads: boolean;
  readonly paths: readonly RedactPath[];
  readonly redact: readonly string[];
  readonly redactAs: RedactAs;
  readonly signer: Signer | null;
}

export function evidencePlan(o: EvidenceOptions): EvidencePlan {
  const signer = o.key === undefined ? null : ed25519Signer(o.key);
  if (signer === undefined) throw new PawlError("PAWL4011", "key must be an Ed25519 private key in PEM, without a passphrase");
  const redact = o.redact ?? [];
  const redactAs = o.redactAs ?? "mask";
  if (!redactModes.includes(redactAs)) throw new PawlError("PAWL4011", `redactAs is one of ${redactModes.join(", ")}`);
  return { payloads: o.payloads !== false, paths: parseRedactPaths(redact), redact, redactAs, signer };
}

export function buildEvidence(s: EvidenceSource, plan: EvidencePlan): Uint8Array {
  const members = logMembers(s, plan);
  const manifest = bytes(`${JSON.stringify(manifestOf(s, plan, members), null, 2)}\n`);
  const signature = plan.signer === null ? [] : [{ name: "manifest.sig", data: bytes(`${plan.signer.sign(manifest)}\n`) }];
  return zipOf([{ name: "manifest.json", data: manifest }, ...signature, ...members]);
}

/** The other runs of the run chain, each as an archive of its own that is checked as any other; the outer manifest vouches for them. */
function runChainMembers(runChain: EvidenceRunChain<EvidenceSource>, stories: readonly RunHistories[], plan: EvidencePlan): ZipMember[] {
  const alone = { ...plan, signer: null };
  return [
    { name: "line.jsonl", data: bytes(runChainFacts(stories).map(jsonLine).join("")) },
    ...runChain.relatives.map((r, i) => ({ name: relativeFileName(i), data: buildEvidence({ ...r, runChain: null }, alone) })),
  ];
}

function logMembers(s: EvidenceSource, plan: EvidencePlan): ZipMember[] {
  const [events, payloads, effects, operators, seals]: string[][] = [[], [], [], [], []];
  const full = plan.payloads && plan.paths.length === 0;
  const stories = historiesOf(runsInOrder(s, s.runChain), (e) => showPayload(e, plan)?.text ?? null);
  for (const e of s.events) {
    const { payload: _, ...envelope } = toRecord(s.row, e);
    const sealed = {
      ...envelope,
      stateVersion: e.stateVersion,
      ...(e.payloadHash === null ? {} : { payloadHash: e.payloadHash }),
      link: e.link,
    };
    events!.push(jsonLine(sealed));
    // A seal hides nothing and proves the rest: it is shown whatever else is not.
    if (e.eventType === pawlEvents.sealed && e.payload !== null)
      seals!.push(jsonLine({ runSeq: e.runSeq, salt: e.salt, payload: e.payload }));
    const shown = showPayload(e, plan);
    if (shown !== null)
      payloads!.push(jsonLine({ runSeq: e.runSeq, ...(shown.whole ? { salt: e.salt } : { redacted: true }), payload: shown.text }));
    // What a producer outside says is the payload's, and only the payload's.
    if (s.row.origin === "external") continue;
    const effect = effectLine(e, shown?.text ?? null);
    if (effect !== null) effects!.push(jsonLine(effect));
    const operator = operatorLine(e, shown?.text ?? null);
    if (operator !== null) operators!.push(jsonLine(operator));
  }
  return [
    { name: "events.jsonl", data: bytes(events!.join("")) },
    ...(plan.payloads ? [{ name: "payloads.jsonl", data: bytes(payloads!.join("")) }] : []),
    ...(seals!.length > 0 ? [{ name: "seals.jsonl", data: bytes(seals!.join("")) }] : []),
    { name: "effects.jsonl", data: bytes(effects!.join("")) },
    { name: "operators.jsonl", data: bytes(operators!.join("")) },
    { name: "proof.json", data: bytes(`${JSON.stringify(verdictsOf(s, stories), null, 2)}\n`) },
    ...(s.ledger === null ? [] : [{ name: "ledger.jsonl", data: bytes(s.ledger.map((r) => jsonLine(ledgerLine(r, full))).join("")) }]),
    ...(s.runChain === null ? [] : runChainMembers(s.runChain, stories, plan)),
  ];
}

/** A payload that expired is not there either; its hash is. */
function showPayload(e: EventRecord, plan: EvidencePlan): ShownPayload {
  if (!plan.payloads || e.payload === null || e.salt === null) return null;
  const copy = redactPayload(e.payload, plan.paths, plan.redactAs, e.salt);
  return copy === null ? { text: e.payload, whole: true } : { text: copy, whole: false };
}

/** The verdicts alone: what they rest on, the verifier works out for itself. */
function verdictsOf(s: EvidenceSource, runChain: readonly RunHistories[]): object {
  const { info, name, persistence } = s.store;
  const about = {
    name,
    durable: persistence === "durable",
    unsafe: info.unsafe,
    moved: info.identity !== info.identityRecorded,
    incarnation: info.incarnation,
  };
  const runs = runChain.map((r) => ({ ...r, runChain: s.row.rootRunId, brokenChain: null, reused: new Set<string>() }));
  const missing = s.runChain?.missing.map((m) => m.runId) ?? [];
  const { verdict, effects } = proofOf(about, runs, s.row.workflowId, missing);
  return {
    verdict,
    effects: effects.map(({ runId, stepId, class: cls, verdict: v, events, sends, sentBy, orders }) => {
      const own = { stepId, class: cls, verdict: v, events };
      return s.runChain === null ? own : { runId, ...own, sends, sentBy, ...(orders === undefined ? {} : { orders }) };
    }),
  };
}

/** Keys, digests and messages hold what users wrote: only where all of it is shown. */
function ledgerLine(r: EffectRecord, full: boolean): object {
  const { seq, stepId, name, class: cls, status, phase, attempts, engineAttempts, eventSeq, key, argsDigest, error } = r;
  const own = { seq, stepId, name, class: cls, status, phase, attempts, engineAttempts, eventSeq };
  const times = { createdAt: toTimeText(r.createdAt), updatedAt: toTimeText(r.updatedAt) };
  return full ? { ...own, ...times, key, argsDigest, error } : { ...own, ...times };
}

function manifestOf(s: EvidenceSource, plan: EvidencePlan, members: readonly ZipMember[]): EvidenceManifest {
  const { row, store } = s;
  const head = s.events.at(-1);
  if (head === undefined || head.runSeq !== row.headSeq)
    throw new PawlError("PAWL3007", `the log of run ${row.runId} does not end at its head`);
  const { storeId, format, incarnation, identity, identityRecorded, unsafe, settings = {} } = store.info;
  const full = plan.payloads && plan.paths.length === 0;
  return {
    kind: "pawl.evidence",
    format: s.runChain === null ? 1 : 3,
    madeBy: { name: "pawl", version: ownVersion() },
    store: {
      store: store.name,
      storeId,
      format,
      incarnation,
      identity,
      identityRecorded,
      persistence: store.persistence,
      unsafe,
      settings,
    },
    run: {
      runId: row.runId,
      tenantId: row.scope.tenantId,
      projectId: row.scope.projectId,
      environmentId: row.scope.environmentId,
      workflowId: row.workflowId,
      generation: row.generation,
      ...(row.origin === "external" ? { origin: row.origin } : {}),
      status: row.status,
      waiting: row.waiting,
      createdAt: toTimeText(row.createdAt),
      originalRunId: row.originalRunId,
      rootRunId: row.rootRunId,
      parentRunId: row.parentRunId,
      parentStepId: row.parentStepId,
      tags: row.tags,
      // Without a salt: it would give a hidden input away.
      ...(full ? { inputDigest: row.inputDigest } : {}),
    },
    definition: { workflow: row.workflow, version: row.version },
    head: { runSeq: head.runSeq, link: head.link, stateVersion: head.stateVersion, persistedAt: toTimeText(head.persistedAt) },
    events: s.events.length,
    payloads: plan.payloads ? "shown" : "left out",
    redacted: plan.redact,
    ...(plan.redactAs === "mask" ? {} : { redactedAs: plan.redactAs }),
    ...(s.runChain === null ? {} : { line: manifestRunChain(s, s.runChain) }),
    members: members.map((m) => ({ name: m.name, bytes: m.data.length, sha256: sha256Hex(m.data) })),
    ...(plan.signer === null ? {} : { signer: { algorithm: "Ed25519", publicKey: plan.signer.publicKey } }),
  };
}

function jsonLine(value: object): string {
  return `${JSON.stringify(value)}\n`;
}

function bytes(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
