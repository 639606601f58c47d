// A process that delivers from a store: what is due, once, or until it is told to stop; it dies where PAWL_CRASH names a point. It
// permits loopback, where the test's receiver is.
import { connect } from "../../../src/client.ts";

const { store, once = true } = JSON.parse(process.argv[2] ?? "{}") as { store: string; once?: boolean };
const client = await connect({ store });
const delivering = client.webhooks.deliver({ once, allowInsecure: true, allowPrivate: true, lease: "1s" });
process.stdin.once("data", () => void delivering.stop());
await delivering.done;
process.stdin.destroy();
process.stdout.write("done\n");
await client.close();
