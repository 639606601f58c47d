// A process that opens the store it is given, which migrates it, and ends. For tests that kill it on the way; it must never
// decide what is right.
import { openStore } from "../../../src/open.ts";
import { systemPlatform } from "../../../src/platform/system.ts";

const store = await openStore(process.argv[2], systemPlatform());
process.stdout.write(`${(await store.info()).format}\n`);
await store.close();
