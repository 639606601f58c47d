// Cycles are refused with the whole path and both ends of the edge that closes them, however long they are, before anything is stored. The walk is
// a loop, not a recursion with a depth: 101 nodes and 10,000 are no different from three.
import { describe, expect, it } from "vitest";
import { dag, dagFromTemplate, type DagBuilder, type PawlError, type Template, type TemplateStep } from "../../src/index.ts";
import { proves } from "../support/proves.ts";

const templateOf = (steps: readonly TemplateStep[]): Template => ({ namespace: "n", name: "cycle", version: "1", steps });
const refusedBy = (steps: readonly TemplateStep[]): PawlError => {
  try {
    dagFromTemplate(templateOf(steps));
  } catch (e) {
    return e as PawlError;
  }
  throw new Error("it was not refused");
};

describe("a template whose steps need each other in a circle", () => {
  it.each([1, 3, 100, 101, 10_000])("of %i steps is refused with its whole path", proves("T-28", "T-29", "T-30", "T-60", "T-61"), (n) => {
    const ring = Array.from({ length: n }, (_, i) => ({ name: `s${i}`, handler: "h", needs: [`s${(i + n - 1) % n}`] }));
    const e = refusedBy(ring);
    expect(e.code).toBe("PAWL1024");
    const path = String(e.data["cycle"]).split(",");
    expect(path.length).toBe(n + 1);
    expect(path[0]).toBe(path.at(-1));
    expect(new Set(path).size).toBe(n);
    // Every edge of the path is one of the template's: each step needs the one before it.
    for (let i = 1; i < path.length; i++) expect(ring[Number(path[i]!.slice(1))]!.needs).toEqual([path[i - 1]]);
    expect([e.data["from"], e.data["to"]]).toEqual([path.at(-2), path[0]]);
  });

  it("A needs C, B needs A: both are accepted; C needs B is the edge that is refused", proves("T-41"), () => {
    const a = { name: "A", handler: "h", needs: ["C"] };
    const b = { name: "B", handler: "h", needs: ["A"] };
    expect(() => dagFromTemplate(templateOf([a, b, { name: "C", handler: "h" }]))).not.toThrow();
    const e = refusedBy([a, b, { name: "C", handler: "h", needs: ["B"] }]);
    expect(e.data).toMatchObject({ from: "B", to: "C", cycle: "C,A,B,C" });
    expect(e.message).toContain("step C needs B, which closes a cycle: C → A → B → C");
  });

  it("behind many that do not is found among them", proves("T-29", "T-60"), () => {
    const tail = Array.from({ length: 500 }, (_, i) => ({ name: `t${i}`, handler: "h", needs: i === 0 ? ["y"] : [`t${i - 1}`] }));
    const head = Array.from({ length: 500 }, (_, i) => ({ name: `h${i}`, handler: "h", needs: i === 0 ? [] : [`h${i - 1}`] }));
    const ring = [
      { name: "x", handler: "h", needs: ["h499", "y"] },
      { name: "y", handler: "h", needs: ["x"] },
    ];
    expect(refusedBy([...head, ...tail, ...ring]).data).toMatchObject({ cycle: "y,x,y" });
  });

  it("by way of a branch is a cycle, too", proves("T-29"), () => {
    const steps: TemplateStep[] = [
      { name: "a", handler: "h", needs: ["d"], on: { decision: "d", branch: "x" } },
      { name: "d", type: "decision", handler: "h", branches: ["x"], needs: ["a"] },
    ];
    expect(refusedBy(steps).code).toBe("PAWL1024");
  });

  it("decisions lie at most 16 deep", proves("TX-10"), () => {
    const deep = (n: number): TemplateStep[] =>
      Array.from({ length: n }, (_, i): TemplateStep => ({
        name: `d${i}`,
        type: "decision",
        handler: "h",
        branches: ["x"],
        ...(i === 0 ? {} : { needs: [`d${i - 1}`], on: { decision: `d${i - 1}`, branch: "x" } }),
      }));
    expect(() => dagFromTemplate(templateOf(deep(17)))).not.toThrow();
    expect(refusedBy(deep(18)).message).toContain("17 decisions deep");
  });
});

it("a node that is added to a DAG after it was built is refused: its version would not say that it is there", () => {
  let kept: DagBuilder<undefined> | undefined;
  dag({ name: "built" }, (t) => {
    kept = t;
    return t.task("a", {}, () => 1);
  });
  expect(() => kept?.task("b", {}, () => 2)).toThrow(expect.objectContaining({ code: "PAWL1025" }) as Error);
});
