// `pawl worker` as a user calls it: which queues it serves, and with what. Real processes on stores of their own; what a test leaves
// running is ended after it.
import { afterEach, expect, it } from "vitest";
import { CliFolder, killCommands } from "./pawl-process.ts";

afterEach(killCommands);

const file = `import { dag, task } from "pawl";
const anything = { "~standard": { version: 1, vendor: "test", validate: (value: unknown) => ({ value }) } } as const;
export const mail = task({ name: "mail", input: anything }, () => 1, { queue: "mails" });
export const etl = dag({ name: "etl", version: "1" }, (t) => t.task("clean", {}, () => 1, { queue: "rows" }));`;

it("it serves the queues of the tasks and of the nodes that its file exports, unless it is told which", async () => {
  const place = new CliFolder({ "work.ts": file, "idle.ts": file.replace(', { queue: "mails" }', "").replace(', { queue: "rows" }', "") });
  await place.pawl("init");
  const all = place.start(["worker", "./work.ts"]);
  await all.saw("serves mails, rows: mail, etl/clean@1");
  const some = place.start(["worker", "./work.ts", "--queue", "rows"]);
  await some.saw("serves rows: mail, etl/clean@1");
  const none = await place.pawl("worker", "./idle.ts");
  expect([none.code, none.err.includes("it exports no task and no DAG with a queue")]).toEqual([2, true]);
});
