// The log of a process that was given none: what an operator reads on standard error when something failed. It must never leave out
// why, and never take more than one line.
import { expect, it, vi } from "vitest";
import { PawlError } from "./errors/error.ts";
import { stderrLogger } from "./open.ts";

function lineOf(...said: Parameters<typeof stderrLogger>): string {
  const write = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  stderrLogger(...said);
  const line = write.mock.calls.map(([text]) => String(text)).join("");
  write.mockRestore();
  return line;
}

it("what failed is in the line, unless the message says it already", () => {
  const away = new PawlError("PAWL3002", "postgres: connect ECONNREFUSED");
  expect(lineOf("error", "a request failed unexpectedly", { traceId: "t", error: away })).toBe(
    'pawl error: a request failed unexpectedly {"traceId":"t","error":"StoreUnavailable: postgres: connect ECONNREFUSED"}\n',
  );
  expect(lineOf("warn", `no work: ${away.message}`, { code: away.code, error: away })).toBe(
    'pawl warn: no work: postgres: connect ECONNREFUSED {"code":"PAWL3002"}\n',
  );
});

it("what nobody expected has its stack, in one line", () => {
  const line = lineOf("error", "a request failed unexpectedly", { error: new TypeError("x is undefined") });
  expect(line).toMatch(/^pawl error: a request failed unexpectedly \{"error":"TypeError: x is undefined\\n +at .*open\.test\.ts.*"\}\n$/);
  for (const thrown of ["text", null, { toString: 1 }, Object.create(null)])
    expect(lineOf("warn", "m", { error: thrown })).toMatch(/^pawl warn: m \{"error":".+"\}\n$/);
});
