// The pages about DAGs and templates: their code is that of the examples, which a test runs, and what their tables name exists. Guards that a new trigger, a new
// type of step or a new answer is not left out.
import { expect, it } from "vitest";
import { triggers } from "../../src/core/trigger.ts";
import { pageSource, pageText } from "./read-page.ts";

it("the code on the pages is that of the examples", () => {
  expect(pageSource("docs/dags.md")).toContain(`\`\`\`ts\n${pageSource("examples/etl-dag.ts")}\`\`\``);
  expect(pageSource("docs/templates.md")).toContain(`\`\`\`json\n${pageSource("examples/template/order.json")}\`\`\``);
  expect(pageSource("docs/templates.md")).toContain(`\`\`\`ts\n${pageSource("examples/template/main.ts")}\`\`\``);
});

it("every trigger, type of step and answer to a held failure is named", () => {
  for (const t of triggers) expect(pageText("docs/dags.md")).toContain(`\`${t}\``);
  for (const type of ["task", "decision", "each", "batch", "call", "sleep", "signal"])
    expect(pageText("docs/templates.md")).toContain(`\`${type}\``);
  for (const flag of ["--retry", "--complete", "--settle", "--skip", "--fail"]) expect(pageText("docs/dags.md")).toContain(flag);
});
