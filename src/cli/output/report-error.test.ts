// Every code that a person can meet has an exit code with a meaning, and whatever is thrown gets a code. Only what is a
// defect, or belongs to the inside of a run, stays "unexpected".
import { readFileSync, writeFileSync } from "node:fs";
import { expect, it } from "vitest";
import { exitCodes } from "../../api/statuses.ts";
import { catalogue, type Code } from "../../errors/catalogue.ts";
import { PawlError } from "../../errors/error.ts";
import { toPawlError, exitCodeOf } from "./report-error.ts";

it("only defects and errors inside a run's code end as unexpected", () => {
  const unexpected = (Object.keys(catalogue) as Code[]).filter((c) => exitCodeOf(new PawlError(c, "x")) === 1);
  expect(unexpected.toSorted()).toEqual([
    "PAWL1009",
    "PAWL1010",
    "PAWL1012",
    "PAWL1015",
    "PAWL1020",
    "PAWL1021",
    "PAWL1022",
    "PAWL1023",
    "PAWL1027",
    "PAWL1028",
    "PAWL1030",
    "PAWL1031",
    "PAWL1032",
    "PAWL1033",
    "PAWL1034",
    "PAWL1035",
    "PAWL1036",
    "PAWL1037",
    "PAWL1070",
    "PAWL1071",
    "PAWL2008",
    "PAWL3007",
    "PAWL3008",
    "PAWL3010",
    "PAWL3011",
    "PAWL3012",
    "PAWL3017",
    "PAWL3018",
    "PAWL5003",
    "PAWL5010",
    "PAWL5031",
  ]);
});

it("what a script tells apart has an exit code of its own", () => {
  const told = (["PAWL4001", "PAWL2001", "PAWL3002", "PAWL3004"] as const).map((c) => exitCodeOf(new PawlError(c, "x")));
  expect(told).toEqual([exitCodes.notFound, exitCodes.decision, exitCodes.storeUnreachable, exitCodes.schema]);
  expect(new Set([...told, exitCodes.usage]).size).toBe(5);
});

it("a path that cannot be what it was given for is a wrong argument", () => {
  const thrown = (body: () => unknown): unknown => {
    try {
      return body();
    } catch (e) {
      return e;
    }
  };
  const missing = toPawlError(thrown(() => writeFileSync("no/such/folder/x.zip", "")));
  expect(missing).toMatchObject({ code: "PAWL4011", message: "no/such/folder/x.zip: there is no such file or folder" });
  expect(toPawlError(thrown(() => readFileSync(".")))).toMatchObject({ code: "PAWL4011", message: "this is a folder, not a file" });
  const unreachable = Object.assign(new Error("connect ENOENT /run/db"), { code: "ENOENT", syscall: "connect", path: "/run/db" });
  expect(toPawlError(unreachable).code).toBe("PAWL3002");
});

it("what the machine refuses is the store's trouble, anything else a defect", () => {
  const refused = Object.assign(new Error("EACCES: permission denied, mkdir '/x'"), { code: "EACCES", syscall: "mkdir" });
  expect(toPawlError(refused)).toMatchObject({ code: "PAWL3002", message: refused.message });
  expect(toPawlError(new TypeError("x is not a function")).code).toBe("PAWL5010");
  expect(toPawlError("text").code).toBe("PAWL5010");
});
