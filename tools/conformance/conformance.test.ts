// Tests of the conformance table: what counts as proof, what does not, and that the contract's pages and the list of
// promises agree. A table that calls something proved must be right.
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { contractIds, idsIn, standings } from "./ids.mjs";
import { reachIn } from "./reach.mjs";
import { misfits, table, verdicts } from "./verdicts.mjs";

const contractDir = join(import.meta.dirname, "../../contract");
const test = (title: string, outcome: "passed" | "failed" | "skipped", file = "src/x.test.ts") => ({
  file,
  title,
  name: title,
  outcome,
  ids: idsIn(title),
  ms: 1,
});

describe("ids in a text", () => {
  it("ids and ranges are read", () => {
    expect(idsIn("I3 W-119 a lost fence writes nothing")).toEqual(["I3", "W-119"]);
    expect(idsIn("D-004 … D-007 the known events")).toEqual(["D-004", "D-005", "D-006", "D-007"]);
    expect(idsIn("K8…K10, C13 several")).toEqual(["K8", "K9", "K10", "C13"]);
    expect(idsIn("L-08..L-10 with two dots")).toEqual(["L-08", "L-09", "L-10"]);
  });

  it("what only looks like an id is none", () => {
    expect(idsIn("SHA-256 of UTF-8, window D, MK1, W-1192, K123, x-W-119")).toEqual([]);
  });

  it("a range over two families or backwards is refused", () => {
    expect(() => idsIn("D-004 … W-010")).toThrow("not a range");
    expect(() => idsIn("D-010 … D-004")).toThrow("not a range");
  });
});

describe("verdicts", () => {
  const promised = new Map([["K1", { status: "promised" as const }]]);
  const planted = new Map([["K1", { mutants: 1, reachable: true }]]);
  const of = (...tests: ReturnType<typeof test>[]) => verdicts(["K1"], promised, tests, planted)[0]?.status;

  it("a promised id is proved by passing tests only", () => {
    expect(of()).toBe("failed");
    expect(of(test("K1 a", "passed"))).toBe("proved");
    expect(of(test("K1 a", "skipped"))).toBe("failed");
    expect(of(test("K1 a", "passed"), test("K1 b", "failed"))).toBe("failed");
    expect(of(test("K2 a", "passed"))).toBe("failed");
  });

  it("an id is documented when all its tests read the documentation", () => {
    expect(of(test("K1 a", "passed", "test/docs/limits.test.ts"))).toBe("documented");
    expect(of(test("K1 a", "passed", "test/docs/limits.test.ts"), test("K1 b", "passed"))).toBe("proved");
  });

  it("an id without a planted bug is tested, and one whose code only tests reach is a failure", () => {
    const by = (mutants: number, reachable: boolean) =>
      verdicts(["K1"], promised, [test("K1 a", "passed")], new Map([["K1", { mutants, reachable }]]))[0]?.status;
    expect([by(1, true), by(0, true), by(1, false), by(0, false)]).toEqual(["proved", "tested", "unreached", "unreached"]);
  });

  it("an open id stays open, with its tests named", () => {
    expect(verdicts(["T-43"], new Map([["T-43", { status: "open" as const }]]), [test("T-43 a", "passed")], planted)).toEqual([
      { id: "T-43", status: "open", mutants: 0, tests: ["src/x.test.ts > T-43 a"] },
    ]);
  });

  it("an id that nobody defined, and a standing without an id, are named", () => {
    const ids = new Map([["K1", { text: "" }]]);
    expect(misfits(ids, promised, [test("K1 K99 a", "passed")])).toEqual(["src/x.test.ts > K1 K99 a: no such id K99"]);
    expect(misfits(new Map(), promised, [])).toHaveLength(1);
    expect(misfits(ids, new Map([["K1", { status: "informative" as const }]]), [])).toEqual(["K1 is informative without a reason"]);
  });

  it("the table counts by family and lists what has no proof", () => {
    const text = table(verdicts(["K1"], promised, [], planted), new Map([["K1", { text: "death is declared" }]]));
    expect(text).toContain("no test   K1     death is declared");
  });
});

describe("the contract's pages", () => {
  it("every id has a standing and every standing an id", () => {
    expect(misfits(contractIds(contractDir), standings(contractDir), [])).toEqual([]);
  });

  it("every family is there in full", () => {
    const ids = [...contractIds(contractDir).keys()];
    const count = (family: string) => ids.filter((id) => id.replace(/-?\d+$/, "") === family).length;
    expect(["W", "D", "L", "T", "A", "K", "I", "C", "R"].map(count)).toEqual([147, 143, 78, 114, 38, 27, 12, 20, 38]);
  });
});

describe("what is reached", () => {
  const entry = `import { make, type Box } from "./box.ts"; export function open(): Box { return make(); }`;
  const box = `
    import { tool } from "./tool.ts";
    export interface Box { put(): void }
    export class Made implements Box { put(): void { tool(); } peek(): void { this.#look(); } #look(): void {} }
    export function make(): Box { return new Made(); }
    export const spare = 1;`;
  const tool = `export function tool(): void {} export function other(): void { lonely(); } function lonely(): void {}`;
  const unreached = (more: Record<string, string> = {}): string[] =>
    reachIn(new Map(Object.entries({ "src/index.ts": entry, "src/box.ts": box, "src/tool.ts": tool, ...more })), [
      "src/index.ts",
    ]).unreached.map((d) => d.id);

  it("an export or a member that nothing reached mentions is named", () => {
    expect(unreached()).toEqual([
      "src/box.ts#Made.peek",
      "src/box.ts#Made.#look",
      "src/box.ts#spare",
      "src/tool.ts#other",
      "src/tool.ts#lonely",
    ]);
  });

  it("a call, a file that is loaded at run time and a member of a public type reach it", () => {
    expect(unreached({ "src/index.ts": `${entry} export const more = async () => (await import("./tool.ts")).other();` })).not.toContain(
      "src/tool.ts#lonely",
    );
    expect(unreached({ "src/box.ts": box.replace("put(): void }", "put(): void; peek(): void }") })).not.toContain("src/box.ts#Made.#look");
    expect(unreached({ "src/box.ts": box.replace("export class", "/** @calledBy a driver */ export class") })).not.toContain(
      "src/box.ts#Made.peek",
    );
  });

  it("a type, a string and a comment reach nothing", () => {
    const more = `${entry} export type T = typeof import("./tool.ts").other; // other`;
    expect(unreached({ "src/index.ts": more })).toContain("src/tool.ts#other");
  });
});
