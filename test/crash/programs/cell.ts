// One cell of the crash table in a process of its own, on SQLite: it goes on until the run has settled or waits for a person,
// then says what it sees and ends. Started again after its death, it is the same program under the same environment.
import { engine } from "../../../src/index.ts";
import { cellWorkflow, lookAt, stepOf } from "./classes.ts";

const [store = "", ledger = "", cls = ""] = process.argv.slice(2);
const losesFirst = cls === "VERIFIED not-completed" && /:[CD]$/.test(process.env["PAWL_CRASH"] ?? "");
const cell = cellWorkflow({ name: "cell", cls, ledger, losesFirst, makesTable: true });

const e = await engine({ store: `sqlite:${store}`, workflows: [cell] });
const handle = await e.start(cell, undefined, { id: "cell" });
console.log(JSON.stringify(await lookAt(handle, stepOf(cls))));
await e.stop();
