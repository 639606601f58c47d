// Files of lines, as long as they like: written beside their place and put there whole and durable at the end, read piece by
// piece, packed where the name ends in .gz. A file that was not finished is never found under its name.
import { once } from "node:events";
import { closeSync, createReadStream, createWriteStream, existsSync, fsyncSync, openSync, renameSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { finished } from "node:stream/promises";
import { createGunzip, createGzip } from "node:zlib";

export interface LineFile {
  write(line: string): Promise<void>;
  /** It is there, and stays, whatever happens next. */
  finish(): Promise<void>;
  /** As if it had never been begun. */
  abandon(): Promise<void>;
}

const isGzip = (path: string): boolean => path.endsWith(".gz");

/** Throws at once where nothing can be written. */
export function writeLines(path: string): LineFile {
  const beside = `${path}.part`;
  const file = createWriteStream(beside, { fd: openSync(beside, "w") });
  const out = isGzip(path) ? createGzip() : file;
  if (out !== file) out.pipe(file);
  let failed: Error | undefined;
  for (const s of new Set([out, file])) s.on("error", (e: Error) => (failed ??= e));
  return {
    async write(line) {
      if (failed !== undefined) throw failed;
      if (!out.write(`${line}\n`)) await Promise.race([once(out, "drain"), finished(file)]);
    },
    async finish() {
      out.end();
      await finished(file);
      if (failed !== undefined) throw failed;
      syncFile(beside);
      renameSync(beside, path);
      syncFile(dirname(path));
    },
    async abandon() {
      out.destroy();
      file.destroy();
      if (!file.closed) await once(file, "close");
      rmSync(beside, { force: true });
    },
  };
}

function syncFile(path: string): void {
  const handle = openSync(path, "r");
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/** undefined when there is no such file. */
export function readLines(path: string): AsyncIterable<string> | undefined {
  if (!existsSync(path)) return undefined;
  return linesOf(path);
}

async function* linesOf(path: string): AsyncGenerator<string> {
  const file = createReadStream(path);
  const input = isGzip(path) ? file.pipe(createGunzip()) : file;
  // An error of either ends the reading with that error: a file that was cut short must not look like one that has ended.
  let failed: Error | undefined;
  const fail = (e: Error): void => {
    failed ??= e;
    input.destroy();
  };
  file.on("error", fail);
  input.on("error", fail);
  input.setEncoding("utf8");
  try {
    // A line ends with a line feed and nothing else: JSON text may hold every other thing that some take for an end.
    let rest = "";
    for await (const piece of input as AsyncIterable<string>) {
      const lines = piece.split("\n");
      lines[0] = rest + (lines[0] ?? "");
      rest = lines.pop() ?? "";
      yield* lines;
    }
    if (rest !== "") yield rest;
    if (failed !== undefined) throw failed;
  } finally {
    file.destroy();
    input.destroy();
  }
}
