// The keys that every store writes alike: injective, reversible, never normalised. Random text finds what a list of
// reserved characters forgets.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  encodeCursor,
  encodeEffectCursor,
  effectKey,
  decodeEffectCursor,
  parseStorageKey,
  noticeKey,
  decodeCursor,
  scopeKey,
  parseScopeKey,
  storageKey,
} from "./keys.ts";
import type { InboxKind } from "./port.ts";
import { proves } from "../../test/support/proves.ts";

const text = fc.oneof(fc.string({ unit: "grapheme", maxLength: 6 }), fc.constantFrom("", ":", "/", "%", "%3A", "a:b", "ntc"));
const scope = fc.record({ tenantId: text, projectId: text, environmentId: text });
const kind = fc.constantFrom<InboxKind>("signal", "update", "control", "child");
const tuple = fc.record({ scope, workflowId: text, kind, name: text, id: text });

describe("keys", () => {
  it(
    "two storage keys are equal only if every part is, and a key reads back as its tuple",
    proves("W-054", "W-055", "W-056", "W-095"),
    () => {
      fc.assert(
        fc.property(tuple, tuple, (a, b) => {
          expect(parseStorageKey(storageKey(a))).toEqual(a);
          expect(storageKey(a) === storageKey(b)).toBe(JSON.stringify(a) === JSON.stringify(b));
        }),
        { numRuns: 500, seed: 1 },
      );
      expect(
        storageKey({ scope: { tenantId: "a:b", projectId: "", environmentId: "" }, workflowId: "", kind: "signal", name: "", id: "" }),
      ).toBe("sig:a%3Ab:::::");
    },
  );

  it("a key keeps case and form", proves("W-052", "W-053"), () => {
    const of = (id: string): string => storageKey({ scope: parseScopeKey("t/p/e"), workflowId: "w", kind: "signal", name: "n", id });
    expect(new Set(["a", "A", " a", "a ", "\u00e9", "e\u0301"].map(of)).size).toBe(6);
  });

  it("what is no storage key reads back as nothing", () => {
    for (const k of ["", "sig", "sig:a:b", "xyz:a:b:c:d:e:f", "sig:a:b:c:d:e:f:g"]) expect(parseStorageKey(k)).toBeUndefined();
  });

  it("a scope reads back from its key, and a notice is never mistaken for a message", proves("I11", "W-055"), () => {
    fc.assert(
      fc.property(scope, scope, tuple, (a, b, t) => {
        expect(parseScopeKey(scopeKey(a))).toEqual(a);
        expect(scopeKey(a) === scopeKey(b)).toBe(JSON.stringify(a) === JSON.stringify(b));
        const notice = noticeKey({ toRunId: t.workflowId, kind: t.kind, name: t.name, id: t.id });
        expect(parseStorageKey(notice)).toBeUndefined();
      }),
      { numRuns: 200, seed: 2 },
    );
  });

  it("a cursor reads back as its place, and anything else is refused", () => {
    const place = { createdAt: 1_800_000_000_000, runId: "r-é" };
    expect(decodeCursor(encodeCursor(place))).toEqual(place);
    for (const bad of ["", "x", Buffer.from("[1]").toString("base64url"), Buffer.from('["1","a"]').toString("base64url")]) {
      expect(() => decodeCursor(bad)).toThrow(/cursor/);
    }
  });

  it(
    "two effects share a key only if every part of their scope is equal, and none looks like a message's",
    proves("W-005", "W-022", "W-023"),
    () => {
      const part = fc.record({ scope, workflowId: text, name: text, runId: text, stepId: text, key: fc.option(text) });
      fc.assert(
        fc.property(part, part, (a, b) => {
          expect(effectKey(a) === effectKey(b)).toBe(JSON.stringify(a) === JSON.stringify(b));
          expect(parseStorageKey(effectKey(a))).toBeUndefined();
        }),
      );
      const one = {
        scope: { tenantId: "t", projectId: "p", environmentId: "e" },
        workflowId: "w",
        name: "n",
        runId: "r",
        stepId: "s",
        key: null,
      };
      expect(effectKey(one)).not.toBe(effectKey({ ...one, key: "" }));
      expect(effectKey({ ...one, runId: "r/s", stepId: "t" })).not.toBe(effectKey({ ...one, stepId: "s/t" }));
      expect(effectKey({ ...one, workflowId: "a:b", name: "c" })).not.toBe(effectKey({ ...one, workflowId: "a", name: "b:c" }));
      expect(effectKey({ ...one, stepId: "s:k" })).not.toBe(effectKey({ ...one, key: "k" }));
    },
  );

  it("the place of an effect reads back from its cursor", () => {
    fc.assert(
      fc.property(text, fc.nat(), (runId, seq) => {
        expect(decodeEffectCursor(encodeEffectCursor({ runId, seq }))).toEqual({ runId, seq });
      }),
    );
  });
});
