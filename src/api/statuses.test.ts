// The table of statuses: what a program on a wire sees for each code, and that the statuses and the codes of JSON-RPC agree. The exit codes are
// tried in src/cli/output/report-error.test.ts.
import { expect, it } from "vitest";
import { catalogue, type Code } from "../errors/catalogue.ts";
import { statuses } from "./statuses.ts";

const codes = Object.keys(catalogue) as Code[];

it("every code has a row, and no row is without a code", () => {
  expect(Object.keys(statuses).toSorted()).toEqual(codes.toSorted());
});

it.each([
  ["PAWL4001", 404, -32004],
  ["PAWL4002", 409, -32009],
  ["PAWL4004", 409, -32009],
  ["PAWL4005", 422, -32602],
  ["PAWL1008", 422, -32602],
  ["PAWL4040", 410, -32004],
  ["PAWL4042", 410, -32004],
  ["PAWL4053", 422, -32602],
  ["PAWL4080", 401, -32001],
  ["PAWL4081", 403, -32001],
  ["PAWL4083", 412, -32009],
  ["PAWL4084", 429, -32029],
  ["PAWL4085", 503, -32003],
  ["PAWL4090", 422, -32602],
  ["PAWL4093", 404, -32601],
  ["PAWL3002", 503, -32003],
  ["PAWL5010", 500, -32603],
] as const)("%s is %d over HTTP and %d over JSON-RPC", (code, http, rpc) => {
  expect(statuses[code]).toMatchObject({ http, rpc });
});

it("only what passes by itself may be sent again", () => {
  for (const code of codes.filter((c) => statuses[c].retryable)) expect([409, 429, 503, 504], code).toContain(statuses[code].http);
  for (const code of ["PAWL3001", "PAWL3002", "PAWL4006", "PAWL4084", "PAWL4085", "PAWL4088"] as const)
    expect(statuses[code].retryable, code).toBe(true);
  for (const code of ["PAWL4001", "PAWL4002", "PAWL4004", "PAWL4009", "PAWL4053", "PAWL4083", "PAWL5010"] as const)
    expect(statuses[code].retryable, code).toBe(false);
});
