// Imported first by every service of a cluster that is a Node process: it ends when its time is over, or, where it is attached, when the process
// that started it is gone. It keeps no process alive.
const until = Date.now() + 1_000 * Number(process.env.PAWL_CLUSTER_LIFE_SECONDS ?? 3_600);
const parent = process.env.PAWL_CLUSTER_ATTACHED === undefined ? undefined : process.ppid;
setInterval(() => {
  if (Date.now() >= until || (parent !== undefined && process.ppid !== parent)) process.exit(1);
}, 1_000).unref();
