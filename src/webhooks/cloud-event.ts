// An event as it leaves: CloudEvents 1.0, structured mode, with the record of the run's log as its data. The same event gives
// the same text, byte for byte, however often it is made. A payload that would make it too long, or has expired, stays behind: its hash goes.
import { Buffer } from "node:buffer";
import { runEventTypes, stepEventTypes, type Scope } from "../core/model.ts";
import type { RunEventRecord } from "../core/contract.ts";
import { toRecord, toTimeText, type RecordRun } from "../events/envelope.ts";
import { scopeKey } from "../store/keys.ts";
import type { EventRecord } from "../store/port.ts";

export interface CloudEvent<T = unknown> {
  readonly specversion: "1.0";
  readonly id: string;
  readonly source: string;
  readonly type: string;
  readonly subject?: string;
  readonly time: string;
  readonly datacontenttype: "application/json";
  /** runSeq as text that sorts as the numbers do. */
  readonly sequence?: string;
  /** The link of the event: with `subject` and `sequence`, a head of the run's log that a receiver can keep (docs/sealing.md). */
  readonly link?: string;
  readonly data: T;
}
/** A record whose payload was too long to be sent, or is not kept any more, says so. */
export type WebhookData = RunEventRecord & { readonly payloadOmitted?: true; readonly payloadHash?: string };

export const contentType = "application/cloudevents+json; charset=utf-8";
const sequenceDigits = 16;

const known: ReadonlyMap<string, string> = new Map([
  ...runEventTypes.map((t) => [t, `pawl.run.${t.slice("Run".length).toLowerCase()}`] as const),
  ...stepEventTypes.map((t) => [t, `pawl.step.${t.slice("Step".length).toLowerCase()}`] as const),
]);

/** `pawl.run.completed`, `pawl.step.failed`; a type that the contract does not name keeps its own. */
export function cloudType(eventType: string): string {
  return known.get(eventType) ?? eventType;
}

export function sourceOf(storeId: string, scope: Scope): string {
  return `pawl/${encodeURIComponent(storeId)}/${scopeKey(scope)}`;
}

export function cloudEventText(source: string, run: RecordRun, e: EventRecord, bodyBytesMax: number): string {
  const record = toRecord(run, e);
  const whole = JSON.stringify(cloudEvent(source, record, e.link));
  const expired = e.payload === null && e.payloadHash !== null;
  if (!expired && (e.payload === null || Buffer.byteLength(whole) <= bodyBytesMax)) return whole;
  const { payload: _, ...rest } = record;
  return JSON.stringify(cloudEvent(source, { ...rest, payloadOmitted: true, payloadHash: e.payloadHash } as WebhookData, e.link));
}

function cloudEvent(source: string, record: WebhookData, link: string): CloudEvent<WebhookData> {
  return {
    specversion: "1.0",
    id: record.eventId,
    source,
    type: cloudType(record.eventType),
    subject: record.runId,
    time: record.persistedAt,
    datacontenttype: "application/json",
    sequence: String(record.runSeq).padStart(sequenceDigits, "0"),
    link,
    data: record,
  };
}

/** What `webhooks.test` sends. */
export function testEventText(source: string, id: string, atMs: number, endpoint: string): string {
  const event: CloudEvent<{ endpoint: string }> = {
    specversion: "1.0",
    id,
    source,
    type: "pawl.webhook.test",
    time: toTimeText(atMs),
    datacontenttype: "application/json",
    data: { endpoint },
  };
  return JSON.stringify(event);
}
