// Requests against their schemas: what is refused, and that a refusal names the place and never the value. And that the schemas fit the rest of
// the catalogue: every member of a path is a member of the input, and every query can be read from text.
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { isPawlError, PawlError } from "../../errors/error.ts";
import { memberOf, membersOf, routeOf } from "../address.ts";
import { operations, operationSpecs, type Operation } from "../operations.ts";
import { checkAnswer, checkInput } from "./check.ts";
import { schemas } from "./schemas.ts";

const names = Object.keys(operations) as Operation[];

function refused(operation: Operation, given: unknown): PawlError {
  try {
    checkInput(operation, given);
  } catch (e) {
    if (isPawlError(e)) return e;
    throw e;
  }
  throw new Error(`${operation} accepted ${JSON.stringify(given)}`);
}

describe("requests", () => {
  it("a member that the operation does not have is refused, by every operation", () => {
    for (const operation of names) {
      const { errors, page } = refused(operation, { "no~such/member": "hunter2" });
      expect(page === "PAWL4011" || page === "PAWL4090", operation).toBe(true);
      expect(
        errors.map((e) => e.pointer),
        operation,
      ).toContain(page === "PAWL4011" ? "/no~0such~1member" : "/reason");
    }
  });

  it("a refusal names every place and no value", () => {
    const e = refused("runs.start", { workflow: 41_999, tags: { shop: 42_999 }, wait: 31, onConflict: "hunter2", inptu: "hunter2" });
    expect(e.page).toBe("PAWL4011");
    expect(e.errors).toEqual([
      { pointer: "/workflow", message: "must be text" },
      { pointer: "/onConflict", message: "must be one of attach, reject, restart" },
      { pointer: "/tags/shop", message: "must be text" },
      { pointer: "/wait", message: "must be at most 30" },
      { pointer: "/inptu", message: "is not a member of this operation" },
    ]);
    expect(JSON.stringify([e.message, e.errors, e.data])).not.toMatch(/hunter2|999/);
  });

  it.each([null, 5, "text", [], [{}], undefined])("%j is no input", (given) => {
    expect(refused("runs.start", given).errors[0]?.pointer).toBe("");
  });

  it("hostile names are members like any other, and are cut", () => {
    const given: unknown = JSON.parse(`{"workflow":"w","__proto__":{"workflow":1},"constructor":1,"${"x".repeat(9000)}":1}`);
    const e = refused("runs.start", given);
    expect(e.errors.map((p) => p.pointer).toSorted()).toEqual(["/__proto__", "/constructor", `/${"x".repeat(64)}`]);
    const many = Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`m${i}`, i]));
    expect(refused("runs.start", many).errors.length).toBeLessThanOrEqual(20);
  });

  it("payloads are not looked into", () => {
    const input = { $pawl: 1, nested: [{ __proto__: null, a: undefined }], big: 5n, at: new Date(0) };
    expect((checkInput("runs.start", { workflow: "w", input }) as { input: unknown }).input).toBe(input);
  });

  it.each([null, "", 5, {}, [], "x".repeat(500), true])("a signalId of any kind reaches the verb that refuses it: %j", (signalId) => {
    expect(checkInput("runs.signal", { id: "r", name: "s", signalId })).toEqual({ id: "r", name: "s", signalId });
  });

  it("a destructive operation without a reason has a code of its own", () => {
    const reasonless: Partial<Record<Operation, object>> = {
      "runs.terminate": { id: "r" },
      "batches.create": { filter: {}, action: "cancel" },
      "batches.stop": { batchId: "b" },
      "decisions.resolve": { decisionId: "d", answer: { fail: true } },
      "webhooks.remove": { endpointId: "e" },
      "tokens.revoke": { tokenId: "t" },
      "schedules.remove": { name: "s" },
      "steps.act": { id: "r", step: "s", do: "retry" },
    };
    expect(names.filter((o) => operationSpecs[o].destructive).toSorted()).toEqual(Object.keys(reasonless).toSorted());
    for (const [operation, given] of Object.entries(reasonless)) {
      expect(refused(operation as Operation, given), operation).toMatchObject({ page: "PAWL4090", code: "AUTHZ_REASON_REQUIRED" });
      expect(refused(operation as Operation, { ...given, reason: "  " }).page, operation).not.toBe("PAWL4001");
    }
    expect(refused("runs.terminate", { id: "r", reason: " " }).page).toBe("PAWL4090");
    expect(checkInput("runs.terminate", { id: "r", dryRun: true })).toEqual({ id: "r", dryRun: true });
    expect(checkInput("runs.cancel", { id: "r" })).toEqual({ id: "r" });
  });

  it("an answer to a decision is one of its forms, and may leave its author out", () => {
    const answer = { happened: true, result: 5, reason: "the bank says so" };
    expect(checkInput("decisions.resolve", { decisionId: "d", answer })).toEqual({ decisionId: "d", answer });
    expect(refused("decisions.resolve", { decisionId: "d", answer: { ...answer, fail: true } }).errors).toEqual([
      { pointer: "/answer/fail", message: "is not a member of this operation" },
    ]);
    expect(refused("decisions.resolve", { decisionId: "d", answer: { reason: "x" } }).errors).toEqual([
      { pointer: "/answer", message: "has none of the permitted forms" },
    ]);
  });
});

describe("the catalogue", () => {
  const membersOfInput = (operation: Operation): string[] =>
    Object.keys(z.toJSONSchema(schemas[operation].input, { unrepresentable: "any" }).properties ?? {});

  it.each(names)("%s: the members of its path and the id that makes it act once are members of its input", (operation) => {
    const { idempotentBy } = operationSpecs[operation];
    const needed = [...routeOf(operation).parts.map(memberOf), idempotentBy].filter((m) => m !== undefined);
    expect(membersOfInput(operation)).toEqual(expect.arrayContaining(needed));
  });

  it("a member that zod would lose is refused: without it a filter would be none", () => {
    const tags: unknown = JSON.parse('{"__proto__":"x"}');
    const batch = { filter: { tags }, action: "cancel", reason: "spring", requestId: "0b0c5f5e-6f1a-4a38-9d6c-0d8f4f3b7a11" };
    expect(refused("batches.create", batch).errors).toEqual([
      { pointer: "/filter/tags/__proto__", message: "is not a name that a member may have" },
    ]);
    expect(() => checkInput("batches.create", { ...batch, filter: { tags: { proto: "x" } } })).not.toThrow();
  });

  it("a query's lists and tags are read from text in each of their forms", () => {
    for (const query of ["status=FAILED,PAUSED&tags.a.b=c", "status=FAILED&status=PAUSED&tags[a.b]=c"])
      expect(checkInput("runs.list", membersOf(new URLSearchParams(query)))).toEqual({
        status: ["FAILED", "PAUSED"],
        tags: { "a.b": "c" },
      });
    expect(refused("runs.list", membersOf(new URLSearchParams("status=FAILED,")))).toMatchObject({ errors: [{ pointer: "/status/1" }] });
  });
});

it("an answer that its schema does not have is found", () => {
  const answer = { version: "1.0.0", api: "v1", scopes: ["read"] };
  expect(checkAnswer("version", answer)).toEqual(answer);
  expect(() => checkAnswer("version", { ...answer, secret: 1 })).toThrow("/secret is not a member");
  expect(() => checkAnswer("version", { ...answer, scopes: ["write"] })).toThrow("/scopes/0 must be one of");
});
