// What nobody expected: the answer says nothing of it on any transport, and the log has it under the trace of the request.
// The failure is the host's own sign-on, which throws with a secret in its text.
import { describe, expect, it } from "vitest";
import { proves } from "../support/proves.ts";
import { serve } from "./serve.ts";

const secret = "postgres://app:hunter2@db.internal/app";

describe("an unexpected failure", () => {
  it("is masked on REST and on JSON-RPC, and logged under its trace id", proves("Q-10"), async () => {
    const logged: { readonly message: string; readonly data: Readonly<Record<string, unknown>> | undefined }[] = [];
    const s = await serve({
      auth: () => {
        throw new TypeError(`cannot connect to ${secret}`);
      },
      log: (level, message, data) => {
        if (level === "error") logged.push({ message, data });
      },
    });
    try {
      const traceId = "c".repeat(32);
      const headers = { traceparent: `00-${traceId}-${"d".repeat(16)}-01` };
      const rest = await s.get("/v1/me", headers);
      const rpc = await s.rpc({ jsonrpc: "2.0", id: 1, method: "me" }, headers);
      for (const { status, text } of [rest, rpc]) {
        expect(status).toBe(500);
        expect(text).not.toContain("hunter2");
        expect(text).not.toContain("TypeError");
        expect(text).not.toMatch(/\.(ts|js):\d/);
      }
      expect(rest.json).toMatchObject({ page: "PAWL5010", status: 500, traceId });
      expect(rpc.json).toMatchObject({ jsonrpc: "2.0", id: null, error: { code: -32603, data: { page: "PAWL5010", traceId } } });
      expect(logged.map((l) => l.data?.["traceId"])).toEqual([traceId, traceId]);
      expect(String(logged[0]?.data?.["error"])).toContain("hunter2");
    } finally {
      await s.close();
    }
  });
});
