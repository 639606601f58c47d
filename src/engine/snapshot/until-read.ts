// Reading from a store that may be away: it is asked until it answers, or until the run was given up. What it says otherwise is thrown. Nothing is
// written here, so asking twice does no harm.
import { isPawlError } from "../../errors/error.ts";
import { storeUnavailable } from "../committer.ts";
import type { LiveRun } from "../run/live-run.ts";

/** A store that is away is asked again after this long. */
const againMs = 100;

/** Asks until the store answers, or the run was given up. */
export async function untilRead<T>(r: LiveRun, read: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await read();
    } catch (e) {
      if (!isPawlError(e) || !storeUnavailable.includes(e.page) || r.state.isUnloaded) throw e;
    }
    await new Promise<void>((resolve) => void r.host.platform.timer(againMs, resolve));
  }
}
