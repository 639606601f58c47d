// DBOS queues under measure, as its documentation tells to use them: a workflow enqueues workflows and awaits their results. The worker is another
// process of the same application that listens to the queue; the owner listens to none. The shortest polling that it offers is set on both sides.
/** @typedef {import("./contender.mjs").Owner} Owner @typedef {import("./contender.mjs").QueueWorker} QueueWorker */

const peer = "@dbos-inc/dbos-sdk";
const queue = "bench";

/** @param {string} url @param {boolean} listens @param {number} places */
async function launched(url, listens, places) {
  process.noDeprecation = true;
  const { DBOS } = await import(peer);
  DBOS.setConfig({
    name: "bench",
    systemDatabaseUrl: url,
    systemDatabasePoolSize: 20,
    logLevel: "error",
    executorID: listens ? "worker" : "owner",
    applicationVersion: "1",
    listenQueues: listens ? [queue] : [],
  });
  const noop = DBOS.registerWorkflow(async (/** @type {number} */ n) => n, { name: "noop" });
  const fan = DBOS.registerWorkflow(
    async (/** @type {number} */ each) => {
      const handles = [];
      for (let n = 0; n < each; n++) handles.push(await DBOS.startWorkflow(noop, { queueName: queue })(n));
      for (const h of handles) await h.getResult();
    },
    { name: "fan" },
  );
  await DBOS.launch();
  await DBOS.registerQueue(queue, { workerConcurrency: places, minPollingIntervalMs: 10 });
  return { DBOS, noop, fan };
}

/** @param {string} url @param {number} places @returns {Promise<QueueWorker>} */
export async function worker(url, places) {
  const { DBOS } = await launched(url, true, places);
  return { done: () => 0, onDone: () => {}, end: () => DBOS.shutdown() };
}

/** @param {string} url @param {number} places @returns {Promise<Owner>} */
export async function owner(url, places) {
  const { DBOS, noop, fan } = await launched(url, false, places);
  return {
    counted: false,
    fanOut: async (groups, each) => {
      await Promise.all(Array.from({ length: groups }, () => fan(each)));
    },
    singles: async (runs) => {
      await Promise.all(
        Array.from({ length: runs }, async (_, n) => (await DBOS.startWorkflow(noop, { queueName: queue })(n)).getResult()),
      );
    },
    end: () => DBOS.shutdown(),
  };
}
