// Waiting for something until a signal ends it. What was waited for continues by itself; nobody waits for it.
// It must never reject because of the signal: an aborted wait has no answer, which is no failure.

export async function orAborted<T>(wait: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  if (signal.aborted) {
    wait.catch(() => {});
    return undefined;
  }
  let stop = (): void => {};
  const aborted = new Promise<undefined>((resolve) => {
    stop = () => resolve(undefined);
    signal.addEventListener("abort", stop, { once: true });
  });
  wait.catch(() => {});
  try {
    return await Promise.race([wait, aborted]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}
