// Proves that base64 without Buffer says what Node says, of every length and every view, and that it reads what Node writes.
// Node is the judge: the code under test is never compared with itself.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { base64, base64Url, bytesFromBase64, isNodeBuffer } from "./base64.ts";

describe("base64", () => {
  it("writes and reads as Node does, in both alphabets", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), fc.nat(3), (all, skip) => {
        const bytes = all.subarray(Math.min(skip, all.length));
        const node = Buffer.from(bytes);
        expect(base64(bytes)).toBe(node.toString("base64"));
        expect(base64Url(bytes)).toBe(node.toString("base64url"));
        for (const text of [base64(bytes), base64Url(bytes)]) expect(bytesFromBase64(text)).toEqual(new Uint8Array(bytes));
      }),
      { numRuns: 500 },
    );
  });

  it.each(["", "=", "A", "AA", "AAA", "AA=A", "A A\nA A", "é", "_-+/", "!!!!", "QUJD===="])("reads %j as Node does", (text) => {
    expect(bytesFromBase64(text)).toEqual(new Uint8Array(Buffer.from(text, "base64")));
  });

  it("gives bytes that nobody shares, and knows a Buffer", () => {
    const bytes = bytesFromBase64("QUJD");
    expect([bytes.buffer.byteLength, Object.getPrototypeOf(bytes) === Uint8Array.prototype]).toEqual([3, true]);
    expect([isNodeBuffer(Buffer.from("a")), isNodeBuffer(new Uint8Array(1))]).toEqual([true, false]);
  });
});
