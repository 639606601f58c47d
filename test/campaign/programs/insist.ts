// As a user would: a store that is away, busy, or could not answer is asked again, for as long as it takes. Everything asked
// this way has an id that makes it one thing, or only looks.
import { isPawlError } from "../../../src/errors/error.ts";

export async function insist<T>(ask: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await ask();
    } catch (e) {
      if (!isPawlError(e) || !["PAWL3001", "PAWL3002"].includes(e.page)) throw e;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}
