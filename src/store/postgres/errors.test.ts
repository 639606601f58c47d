// What failures mean, by code alone, and what goes to the server as arrays. Every kind of failure must say what is known of
// the write that met it: a wrong "none" would let somebody repeat what was done.
import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { isWellFormedText } from "../../core/names.ts";
import { PawlError } from "../../errors/error.ts";
import { fixture } from "../../../test/postgres/fixture.ts";
import { bindable } from "./wire/driver.ts";
import { textArray } from "./wire/array-parameters.ts";
import { LockConflict, isClash, isContent, isContention, isLost, storeError } from "./errors.ts";
import { proves } from "../../../test/support/proves.ts";

const server = (code: string, severity = "ERROR", constraint?: string): Error =>
  Object.assign(new Error("said the server"), { code, severity, ...(constraint === undefined ? {} : { constraint }) });
const line = Object.assign(new Error("read ECONNRESET"), { code: "ECONNRESET" });

describe("what a failure means", () => {
  it("only the last word of a write can be in doubt, and only when the line broke or the session ended", proves("K10"), () => {
    for (const lost of [line, new Error("Connection terminated unexpectedly"), server("57P01", "FATAL"), server("XX000", "PANIC")]) {
      expect(isLost(lost)).toBe(true);
      expect(storeError(lost, "commit")).toMatchObject({ page: "PAWL3002", outcome: "unknown" });
      expect(storeError(lost, "statement")).toMatchObject({ page: "PAWL3002", outcome: "none" });
    }
    for (const said of [server("53100"), server("25006"), server("42501")]) {
      expect(storeError(said, "commit")).toMatchObject({ page: "PAWL3002", outcome: "none", data: { sqlstate: expect.any(String) } });
    }
    const own = new PawlError("PAWL3010", "as it is");
    expect(storeError(own, "commit")).toBe(own);
  });

  it(
    "a unique_violation of an event or a checkpoint is told apart from every other error, and nothing is never one",
    proves("L-57"),
    () => {
      const clashes = ["events_pkey", "events_key", "checkpoints_pkey", "checkpoints_step"].map((c) => server("23505", "ERROR", c));
      expect(clashes.map(isClash)).toEqual([true, true, true, true]);
      const others = [undefined, null, {}, new Error("unique_violation"), line, server("23503", "ERROR", "events_key"), server("23505")];
      expect(others.map(isClash)).toEqual(others.map(() => false));
    },
  );

  it("content, contention and everything else are told apart", proves("K9"), () => {
    const table: [unknown, boolean, boolean][] = [
      [server("23505"), true, false],
      [server("22P05"), true, false],
      [server("54000"), true, false],
      [new PawlError("PAWL3005", "found before it was sent"), true, false],
      [new PawlError("PAWL3018", "found before it was sent"), true, false],
      [server("40001"), false, true],
      [server("40P01"), false, true],
      [server("55P03"), false, true],
      [new LockConflict(), false, true],
      [server("53300"), false, false],
      [line, false, false],
    ];
    for (const [e, content, contention] of table) expect([isContent(e), isContention(e)]).toEqual([content, contention]);
    expect(storeError(server("40001"), "commit")).toMatchObject({ page: "PAWL3001", outcome: "none" });
    expect([isClash(server("23505", "ERROR", "events_pkey")), isClash(server("23505", "ERROR", "events_key"))]).toEqual([true, true]);
    expect([isClash(server("23505", "ERROR", "runs_pkey")), isClash(server("23503", "ERROR", "events_key"))]).toEqual([false, false]);
  });

  it("a driver that is not installed is named, with what to do", async () => {
    vi.resetModules();
    vi.doMock("../../platform/modules.ts", () => ({ dynamicImport: () => Promise.reject(new Error("ERR_MODULE_NOT_FOUND")) }));
    const { openConnection } = await import("./wire/driver.ts");
    await expect(openConnection({ connectionString: "postgres://x/x", options: "", connectMsMax: 1 })).rejects.toMatchObject({
      page: "PAWL5008",
      fix: expect.stringContaining("npm install pg"),
    });
    vi.doUnmock("../../platform/modules.ts");
    vi.resetModules();
  });
});

describe("what goes to the server", () => {
  const f = fixture();

  it("any text comes back from an array as it went", async () => {
    const c = await f.raw();
    const text = fc.string({ unit: "binary", maxLength: 20 }).filter((t) => !t.includes("\0") && isWellFormedText(t));
    const tricky = fc.constantFrom("", "NULL", "null", '"', "\\", "{}", ",", 'a"b\\c', "\n\t ", '{"a":"\\\\"}');
    await fc.assert(
      fc.asyncProperty(fc.array(fc.oneof(text, tricky, fc.constant(null)), { maxLength: 8 }), async (values) => {
        const { rows } = await c.query({
          text: "select t from unnest($1::text[]) with ordinality as x (t, n) order by n",
          values: [textArray(values)],
        });
        expect(rows.map((r) => r["t"])).toEqual(values);
      }),
      { numRuns: 100, seed: 7 },
    );
  });

  it("a parameter is a plain value or is refused", () => {
    expect([true, false, undefined, 5n, "x", 1.5].map(bindable)).toEqual(["1", "0", null, "5", "x", "1.5"]);
    expect(bindable(new Uint8Array([1, 2]))).toEqual(Buffer.from([1, 2]));
    for (const bad of [{}, [], new Date(0), Symbol("x")])
      expect(() => bindable(bad)).toThrow(expect.objectContaining({ page: "PAWL4011" }));
  });
});
