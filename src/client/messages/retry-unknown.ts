// A call under an id of its own whose answer was lost: asked again with the same id, so that it is one thing however often it is asked.
// Who sent it need not know. It must never be used for a call that has no such id.
import { isPawlError } from "../../errors/error.ts";
import type { Platform } from "../../platform/platform.ts";

const attemptsMax = 5;
const firstMs = 20;

export async function retryUnknown<T>(platform: Platform, ask: () => T | Promise<T>): Promise<T> {
  for (let n = 1; ; n++) {
    try {
      return await ask();
    } catch (e) {
      if (!isPawlError(e, "PAWL3002") || e.outcome !== "unknown" || n === attemptsMax) throw e;
      await new Promise<void>((resolve) => void platform.timer(firstMs * 2 ** n, resolve, true));
    }
  }
}
