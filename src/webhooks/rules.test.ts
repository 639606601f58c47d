// The pure rules of delivering: what an event looks like outside, who wants it, where it may go, and what follows from an
// answer. No clock, no network.
import { describe, expect, it } from "vitest";
import type { EventRecord } from "../store/port.ts";
import { cloudEventText, cloudType, sourceOf, type CloudEvent, type WebhookData } from "./cloud-event.ts";
import { checkUrl, standardRetry } from "./endpoints.ts";
import { checkPatterns, defaultEvents, isWanted } from "./filter.ts";
import { judgeAttempt, retryAfterMs } from "./judge-attempt.ts";
import { proves } from "../../test/support/proves.ts";

const scope = { tenantId: "acme", projectId: "a/b", environmentId: "live" };
const run = { runId: "r-1", scope, workflow: "order", version: "2" };
const event: EventRecord = {
  runSeq: 12,
  eventId: "6f1c0a36-1f6e-4c53-9a1c-b6f9a9c1f001",
  eventType: "StepCompleted",
  stepId: "charge",
  logicalAttemptId: 1,
  engineAttemptId: 1,
  idempotencyKey: "k",
  emittedAt: 1_800_000_000_000,
  payload: '{"result":42}',
  salt: "00",
  payloadHash: "hash",
  link: "link",
  persistedAt: 1_800_000_000_123,
  stateVersion: 3,
};

describe("an event outside", () => {
  it(
    "is a CloudEvent of one exact text, under the id and the time of the log, with the record of the log as its data",
    proves("P-37", "C15", "D-040"),
    () => {
      const text = cloudEventText(sourceOf("s-1", scope), run, event, 10_000);
      expect(cloudEventText(sourceOf("s-1", scope), run, event, 10_000)).toBe(text);
      expect(JSON.parse(text)).toEqual({
        specversion: "1.0",
        id: event.eventId,
        source: "pawl/s-1/acme/a%2Fb/live",
        type: "pawl.step.completed",
        subject: "r-1",
        time: "2027-01-15T08:00:00.123Z",
        datacontenttype: "application/json",
        sequence: "0000000000000012",
        link: "link",
        data: {
          eventId: event.eventId,
          eventType: "StepCompleted",
          runId: "r-1",
          tenantId: "acme",
          projectId: "a/b",
          environmentId: "live",
          planId: "order",
          planVersion: "2",
          stepId: "charge",
          logicalAttemptId: 1,
          engineAttemptId: 1,
          idempotencyKey: "k",
          emittedAt: "2027-01-15T08:00:00.000Z",
          payload: { result: 42 },
          runSeq: 12,
          persistedAt: "2027-01-15T08:00:00.123Z",
        },
      });
    },
  );

  it("leaves a payload behind that would make it too long or has expired, and says so with its hash", proves("D-058"), () => {
    const whole = cloudEventText("s", run, event, 10_000);
    const bytes = Buffer.byteLength(whole);
    expect(cloudEventText("s", run, event, bytes)).toBe(whole);
    const { data } = JSON.parse(cloudEventText("s", run, event, bytes - 1)) as CloudEvent<WebhookData>;
    expect(data).toMatchObject({ payloadOmitted: true, payloadHash: "hash", runSeq: 12 });
    expect(data).not.toHaveProperty("payload");
    const wide = { ...event, payload: '{"result":"ééé"}' };
    const wideText = cloudEventText("s", run, wide, 10_000);
    expect(cloudEventText("s", run, wide, Buffer.byteLength(wideText))).toBe(wideText);
    expect(cloudEventText("s", run, wide, wideText.length)).toContain("payloadOmitted");
    expect(JSON.parse(cloudEventText("s", run, { ...event, payload: null }, 10_000))).toMatchObject({ data: { payloadOmitted: true } });
    expect(cloudEventText("s", run, { ...event, payload: null, payloadHash: null }, 1)).not.toContain("payloadOmitted");
  });

  it("has the contract's type under Pawl's name, and any other type as it is", () => {
    expect(["RunQueued", "RunCompleted", "StepSkipped"].map(cloudType)).toEqual([
      "pawl.run.queued",
      "pawl.run.completed",
      "pawl.step.skipped",
    ]);
    expect(["pawl.StepInDoubt", "parcel.lost", "RunAway"].map(cloudType)).toEqual(["pawl.StepInDoubt", "parcel.lost", "RunAway"]);
  });
});

describe("who wants it", () => {
  it("by default all that the contract names of runs and steps, and nothing else", () => {
    const wanted = (t: string): boolean => isWanted(defaultEvents, t);
    expect(["RunStarted", "RunFailed", "StepStarted", "StepCompleted"].every(wanted)).toBe(true);
    expect(["pawl.StepInDoubt", "pawl.ViewPublished", "pawl.Superstep", "pawl.SuperstepPart", "parcel.lost", "RunAway"].some(wanted)).toBe(
      false,
    );
  });

  it("globs take the log's name or the one that is sent; only a star is special", proves("D-016", "P-36"), () => {
    for (const p of ["RunCompleted", "pawl.run.completed", "Run*", "*ed", "*", "pawl.*.completed", "R*n*p*d", "**"])
      expect(isWanted([p], "RunCompleted"), p).toBe(true);
    for (const p of ["run*", "RunComplete", "Run.ompleted", "Run?ompleted", "*x*", "RunCompletedd", "pawl.run", "R*nn*"])
      expect(isWanted([p], "RunCompleted"), p).toBe(false);
    expect(isWanted([`${"*a".repeat(60)}`], `${"a".repeat(5_000)}b`)).toBe(false);
  });

  it("patterns are a few, short and printable", () => {
    for (const bad of [[], Array.from({ length: 33 }, () => "*"), [""], ["a b"], ["ä"], ["x".repeat(129)]])
      expect(() => checkPatterns(bad)).toThrow(expect.objectContaining({ code: "PAWL5021" }));
  });
});

describe("where to", () => {
  it("https only, unless http is permitted, and never with credentials", () => {
    expect(checkUrl("https://example.com/a?b=c#d", false).href).toBe("https://example.com/a?b=c");
    expect(checkUrl("http://example.com/", true).href).toBe("http://example.com/");
    for (const [url, insecure] of [
      ["http://example.com/", false],
      ["ftp://example.com/", true],
      ["file:///etc/passwd", true],
      ["https://ann:pw@example.com/", false],
      ["example.com", false],
      ["", true],
    ] as const)
      expect(() => checkUrl(url, insecure), url).toThrow(expect.objectContaining({ code: "PAWL5021" }));
  });
});

describe("what follows from an answer", () => {
  const policy = { ...standardRetry, backoff: "exponential", when: null } as const;
  const answered = (status: number, retryAfter?: string) => ({ kind: "answered", status, retryAfter }) as const;

  it("2xx delivers, 410 ends it, everything else comes again, twice as late each time, with a little jitter", () => {
    for (const s of [200, 201, 204, 299]) expect(judgeAttempt(answered(s), 1, policy, 0, 0)).toEqual({ kind: "delivered" });
    expect(judgeAttempt(answered(410), 1, policy, 0, 0)).toEqual({ kind: "gone" });
    for (const s of [0, 199, 300, 301, 302, 307, 400, 404, 429, 500, 503])
      expect(judgeAttempt(answered(s), 1, policy, 0, 0), String(s)).toEqual({ kind: "again", inMs: 5_000 });
    const late = { kind: "unanswered", reason: "ECONNRESET", blocked: false } as const;
    const delays = Array.from({ length: 15 }, (_, i) => judgeAttempt(late, i + 1, policy, 0.999_9, 0));
    expect(delays.map((d) => (d.kind === "again" ? d.inMs : d.kind)).slice(0, 4)).toEqual([5_499, 10_999, 21_999, 43_999]);
    expect(delays.at(-1)).toEqual({ kind: "again", inMs: 43_200_000 + 4_999 });
  });

  it("an event is given up after its last attempt, and not before", proves("P-37"), () => {
    expect(judgeAttempt(answered(500), 15, policy, 0, 0).kind).toBe("again");
    expect(judgeAttempt(answered(500), 16, policy, 0, 0)).toEqual({ kind: "dead" });
    expect(judgeAttempt(answered(200), 16, policy, 0, 0)).toEqual({ kind: "delivered" });
  });

  it("Retry-After is obeyed as seconds or as a date, when it is later than the next attempt would be, and up to a day", () => {
    expect(judgeAttempt(answered(503, "120"), 1, policy, 0, 0)).toEqual({ kind: "again", inMs: 120_000 });
    expect(judgeAttempt(answered(429, "1"), 1, policy, 0, 0)).toEqual({ kind: "again", inMs: 5_000 });
    expect(retryAfterMs("Thu, 01 Jan 1970 00:01:00 GMT", 10_000)).toBe(50_000);
    expect(retryAfterMs("Thu, 01 Jan 1970 00:00:01 GMT", 10_000)).toBe(0);
    for (const odd of [undefined, "", "soon", "-5", "1.5"]) expect(retryAfterMs(odd, Date.parse("2200-01-01"))).toBe(0);
    expect(retryAfterMs("999999999999", 0)).toBe(86_400_000);
  });
});
