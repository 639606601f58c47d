// Errors on a wire: every code comes back as the error that it was, and nothing of an unexpected one is shown. What is checked here for all codes
// is what the server answers with and the HTTP client reads.
import { expect, it } from "vitest";
import { catalogue, type Code } from "../errors/catalogue.ts";
import { PawlError } from "../errors/error.ts";
import { fromProblem, toProblem } from "./problem.ts";
import { statuses } from "./statuses.ts";

const codes = Object.keys(catalogue) as Code[];

it("every code that is the caller's becomes a problem and the same error again", () => {
  for (const page of codes.filter((c) => statuses[c].http < 500)) {
    const e = new PawlError(page, "order 42 was refused", {
      outcome: "applied",
      data: { runId: "r1", times: 2, last: null },
      errors: [{ pointer: "/input/sum", message: "must be a number" }],
    });
    const sent = JSON.parse(JSON.stringify(toProblem(e))) as unknown;
    expect(sent).toMatchObject({ type: `urn:pawl:error:${page}`, status: statuses[page].http, page, code: e.code, fix: e.fix });
    const back = fromProblem(sent);
    expect(back).toBeInstanceOf(PawlError);
    expect({ ...back, message: back?.message }).toEqual({ ...e, message: e.message });
  }
});

it("an unexpected error shows nothing of itself", () => {
  const secret = new TypeError("cannot read 'password' of postgres://ann:hunter2@10.0.0.5");
  const problem = toProblem(secret, { traceId: "t1" });
  expect(problem).toMatchObject({ status: 500, page: "PAWL5010", outcome: "unknown", traceId: "t1" });
  expect(JSON.stringify(problem)).not.toMatch(/hunter2|password|TypeError/);
  expect(toProblem(secret, { reads: true }).outcome).toBe("none");
  expect(toProblem("text").page).toBe("PAWL5010");
});

it("what the machine or the database said stays inside, also when it has a code", () => {
  const why = { cause: new Error("hunter2"), data: { host: "hunter2" } };
  for (const page of codes.filter((c) => /^PAWL(3|5)/.test(c) && statuses[c].http >= 500)) {
    if (page === "PAWL3006" || page === "PAWL5003" || page === "PAWL5041") continue; // these speak to the caller
    const problem = toProblem(new PawlError(page, "connect to hunter2 failed", why));
    expect(problem).toMatchObject({ page, title: catalogue[page].name, fix: catalogue[page].fix });
    expect(JSON.stringify(problem)).not.toContain("hunter2");
  }
});

it("a refused body has the status that it names, and no other", () => {
  const of = (status: number): number => toProblem(new PawlError("PAWL4087", "too large", { data: { status } })).status;
  expect([413, 415, 400, 200, 500].map(of)).toEqual([413, 415, 400, 400, 400]);
  expect(toProblem(new PawlError("PAWL4011", "x", { data: { status: 413 } })).status).toBe(422);
});

it("a signal whose acceptance nobody knows is not to be repeated; other unknown outcomes are", () => {
  expect(toProblem(new PawlError("PAWL4004", "x", { outcome: "unknown" })).retryable).toBe(false);
  expect(toProblem(new PawlError("PAWL3002", "x", { outcome: "unknown" })).retryable).toBe(true);
  expect(toProblem(new PawlError("PAWL3002", "x")).retryable).toBe(true);
  expect(toProblem(new PawlError("PAWL4001", "x")).retryable).toBe(false);
});

it("a newer server's code, and what is no problem at all, are told apart", () => {
  expect(fromProblem({ page: "PAWL9999", detail: "news" })).toMatchObject({ page: "PAWL5010", data: { page: "PAWL9999" } });
  for (const other of [null, 5, "text", [], {}, { page: 5 }, { page: "constructor" }, { error: "x" }])
    expect(fromProblem(other), JSON.stringify(other)).toBeUndefined();
  const odd = fromProblem({ page: "PAWL4001", outcome: "maybe", data: { a: { b: 1 }, c: 1 }, errors: [{ pointer: 5 }, null] });
  expect(odd).toMatchObject({ outcome: "none", data: { c: 1 }, errors: [] });
});
