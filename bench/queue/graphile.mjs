// graphile-worker under measure, as its documentation tells to use it: work is added in bulk where its interface offers that, a runner takes
// them with as many places as Pawl's worker has. It keeps no results, so a pass ends when its worker has marked the last one. `settings`: what its
// page on performance recommends beside that (graphile-batched.mjs); without them it is as it comes.
/** @typedef {import("./contender.mjs").Owner} Owner @typedef {import("./contender.mjs").QueueWorker} QueueWorker */

const peer = "graphile-worker";
const silent = () => () => {};

/** @param {string} url @param {number} places @param {Record<string, unknown>} [settings] @returns {Promise<QueueWorker>} */
export async function worker(url, places, settings) {
  const { run, Logger } = await import(peer);
  let done = 0;
  const runner = await run({
    connectionString: url,
    concurrency: places,
    noHandleSignals: true,
    pollInterval: 1_000,
    maxPoolSize: 20,
    logger: new Logger(silent),
    taskList: { noop: async () => {} },
    ...(settings === undefined ? {} : { preset: { worker: settings } }),
  });
  /** @type {() => void} */
  let told = () => {};
  runner.events.on("job:complete", () => {
    done++;
    told();
  });
  return { done: () => done, onDone: (fn) => void (told = fn), end: () => runner.stop() };
}

/** @param {string} url @returns {Promise<Owner>} */
export async function owner(url) {
  const graphile = await import(peer);
  const adding = await graphile["makeWorkerUtils"]({ connectionString: url, maxPoolSize: 20, logger: new graphile.Logger(silent) });
  await adding.migrate();
  return {
    counted: true,
    fanOut: async (groups, each) => {
      const added = Array.from({ length: each }, (_, n) => ({ identifier: "noop", payload: { n } }));
      await Promise.all(Array.from({ length: groups }, () => adding.addJobs(added)));
    },
    singles: async (runs) => {
      await Promise.all(Array.from({ length: runs }, (_, n) => adding.addJob("noop", { n })));
    },
    end: () => adding.release(),
  };
}
