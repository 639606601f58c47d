// Silences one known warning while something is being loaded: Node 22 announces its own SQLite as experimental on every
// start, which would be the first line that a newcomer reads. Every other warning passes through untouched.

/** Runs `load`; experimental warnings about `feature` are dropped until it has finished. */
export async function withoutExperimentalWarning<T>(feature: string, load: () => Promise<T>): Promise<T> {
  const original = process.emitWarning;
  const filtered = (warning: string | Error, ...rest: unknown[]): void => {
    const kind = typeof rest[0] === "string" ? rest[0] : (rest[0] as { type?: string } | undefined)?.type;
    const text = typeof warning === "string" ? warning : warning.message;
    if (kind === "ExperimentalWarning" && text.includes(feature)) return;
    Reflect.apply(original, process, [warning, ...rest]);
  };
  process.emitWarning = filtered as typeof process.emitWarning;
  try {
    return await load();
  } finally {
    process.emitWarning = original;
  }
}
