// A process that delivers what is due on a store, once, and says so; it dies where PAWL_CRASH names a point. It permits loopback,
// where the test's receiver is.
import { connect } from "../../../src/client.ts";

const { store } = JSON.parse(process.argv[2] ?? "{}") as { store: string };
const client = await connect({ store });
await client.webhooks.deliver({ once: true, allowInsecure: true, allowPrivate: true, lease: "1s" }).done;
process.stdout.write("done\n");
await client.close();
