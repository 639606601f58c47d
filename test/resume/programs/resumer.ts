// A process that holds the fence of a run and does what is left of its frontier; dies where PAWL_CRASH says. Told "wait", it stops
// after it has done its first item and before it commits it, until a line comes. Prints what it logged, and how it ended.
import { once } from "node:events";
import { checkLimits } from "../../../src/core/limits.ts";
import { resume } from "../../../src/engine/resume.ts";
import { openStore } from "../../../src/open.ts";
import { systemPlatform } from "../../../src/platform/system.ts";
import { fence, runId, working } from "./work.ts";

const [url = "", file = "", ownId = "", wait = ""] = process.argv.slice(2);
const platform = systemPlatform();
const store = await openStore(url, platform);
const work = working(file, ownId);
let first = true;
try {
  await resume(
    {
      store,
      platform,
      limits: checkLimits(),
      runId,
      fence,
      log: (_level, message, data) => console.log(`log ${JSON.stringify({ message, data })}`),
    },
    async (item, at) => {
      const made = await work(item, at);
      if (first && wait !== "") {
        first = false;
        console.log("computed");
        await once(process.stdin, "data");
      }
      platform.hit("resume:computed");
      return made;
    },
  );
  console.log("over");
} catch (e) {
  console.log(`failed ${(e as { code?: string }).code}`);
}
await store.close();
process.stdin.destroy();
