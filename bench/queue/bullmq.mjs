// BullMQ's Postgres backend under measure, as its documentation tells to use it. What is complete is removed, which is the cheapest
// that it offers; a pass ends when its worker has marked the last one.
/** @typedef {import("./contender.mjs").Owner} Owner @typedef {import("./contender.mjs").QueueWorker} QueueWorker */

const peer = "bullmq";
const name = "bench";

/** @param {string} url */
async function classes(url) {
  const { withBackend, createPostgresBackend } = await import(peer);
  return { ...withBackend(createPostgresBackend), connection: { connectionString: url, max: 20, migrate: true } };
}

/** @param {string} url @param {number} places @returns {Promise<QueueWorker>} */
export async function worker(url, places) {
  const { Worker, connection } = await classes(url);
  let done = 0;
  /** @type {() => void} */
  let told = () => {};
  const w = new Worker(name, async () => 1, { connection, concurrency: places, removeOnComplete: { count: 0 } });
  w.on("completed", () => {
    done++;
    told();
  });
  w.on("error", () => {});
  await w.waitUntilReady();
  return { done: () => done, onDone: (fn) => void (told = fn), end: () => w.close() };
}

/** @param {string} url @returns {Promise<Owner>} */
export async function owner(url) {
  const { Queue, connection } = await classes(url);
  const queue = new Queue(name, { connection, ["defaultJobOptions"]: { removeOnComplete: true } });
  await queue.waitUntilReady();
  return {
    counted: true,
    fanOut: async (groups, each) => {
      const added = Array.from({ length: each }, (_, n) => ({ name: "noop", data: { n } }));
      await Promise.all(Array.from({ length: groups }, () => queue.addBulk(added)));
    },
    singles: async (runs) => {
      await Promise.all(Array.from({ length: runs }, (_, n) => queue.add("noop", { n })));
    },
    end: () => queue.close(),
  };
}
