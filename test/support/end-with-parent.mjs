// Imported first by every process that a test starts: it ends when the process that started it is gone, even by SIGKILL. It keeps no
// process alive and must never touch what the program itself reads or writes.
const parent = process.ppid;
setInterval(() => {
  if (process.ppid !== parent) process.exit(1);
}, 1_000).unref();
