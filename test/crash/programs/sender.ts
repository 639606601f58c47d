// A client without an engine, in a process of its own: sends one signal when told to, says what came of it, and ends.
// It must never open an engine: the signal is taken by whoever owns the run.
import { once } from "node:events";
import { connect } from "../../../src/client.ts";

const [store = "", id = "", signalId = "", payload = ""] = process.argv.slice(2);
const client = await connect({ store: `sqlite:${store}` });
console.log("ready");
await once(process.stdin, "data");
try {
  const { result, replayed } = await client.signal(id, "go", payload, { signalId });
  console.log(`signal ${JSON.stringify({ result, replayed })}`);
} catch (error) {
  console.log(`refused ${(error as { code?: string }).code}`);
}
await client.close();
process.stdin.destroy();
