// graphile-worker with the settings that its page on performance names: it takes 500 at once and marks those that ended together. All else is
// as in graphile.mjs.
import { worker as plain } from "./graphile.mjs";

export { owner } from "./graphile.mjs";

/** @param {string} url @param {number} places */
export const worker = (url, places) =>
  plain(url, places, { ["localQueue"]: { size: 500 }, ["completeJobBatchDelay"]: 0, ["failJobBatchDelay"]: 0 });
