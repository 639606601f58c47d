// The few file operations that stores, run() and the command line need. Synchronous and small: none of them is on the
// path of a step. A missing file is an answer (false, undefined) and never an exception; any other failure is thrown as is.
import {
  appendFileSync,
  closeSync,
  createReadStream,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  unlinkSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";

export function cwd(): string {
  return process.cwd();
}

export function absolutePath(path: string): string {
  return resolve(path);
}

export function exists(path: string): boolean {
  return existsSync(path);
}

export function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

/** Changes whenever the file does; "" when there is none. */
export function fileStamp(path: string): string {
  const found = statSync(path, { throwIfNoEntry: false });
  return found === undefined ? "" : `${found.mtimeMs} ${found.size} ${found.ino}`;
}

/** The nearest `name` in `startDir` or in a directory above it, as an absolute path. */
export function findUpward(startDir: string, name: string): string | undefined {
  for (let dir = resolve(startDir); ; dir = dirname(dir)) {
    const candidate = join(dir, name);
    if (existsSync(candidate)) return candidate;
    if (dirname(dir) === dir) return undefined;
  }
}

/** `mode`: of folders that are made now; one that is there keeps its own. */
export function ensureDir(path: string, mode = 0o777): void {
  mkdirSync(path, { recursive: true, mode });
}

export function folderOf(path: string): string {
  return dirname(path);
}

/** A new folder of this process, where the machine keeps what may be thrown away. */
export function temporaryDir(): string {
  return mkdtempSync(join(tmpdir(), "pawl-"));
}

export function readText(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (e) {
    if ((e as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw e;
  }
}

export function writeText(path: string, text: string): void {
  writeFileSync(path, text);
}

/** undefined when there is no such file. */
export function readBytes(path: string): Uint8Array | undefined {
  try {
    return readFileSync(path);
  } catch (e) {
    if ((e as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw e;
  }
}

export function writeBytes(path: string, data: Uint8Array): void {
  writeFileSync(path, data);
}

/** Puts a text where nothing is yet, whole and durable; what already exists stays, and that is no failure. */
export function writeNewFile(path: string, text: string): void {
  if (existsSync(path)) return;
  const beside = `${path}.${process.pid}-${Math.random().toString(36).slice(2)}`;
  const file = openSync(beside, "wx");
  try {
    writeSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  try {
    linkSync(beside, path);
  } catch (e) {
    if ((e as NodeJS.ErrnoException).code !== "EEXIST") throw e;
  } finally {
    unlinkSync(beside);
  }
  const dir = openSync(dirname(path), "r");
  try {
    fsyncSync(dir);
  } finally {
    closeSync(dir);
  }
}

/** Puts a text in place of what is there, whole and durable: a reader sees the old one or the new one. */
export function replaceText(path: string, text: string, mode = 0o644): void {
  const beside = `${path}.${process.pid}-${Math.random().toString(36).slice(2)}`;
  const file = openSync(beside, "wx", mode);
  try {
    writeSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(beside, path);
}

/** Who may do what with a file, as in chmod. Where the system has no such modes, as its owner alone. */
export function permissionsOf(path: string): number {
  return process.platform === "win32" ? 0o600 : statSync(path).mode & 0o777;
}

/** Appends whole lines, durable when it returns. */
export function appendDurably(path: string, text: string): void {
  const file = openSync(path, "a");
  try {
    writeSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

export function appendText(path: string, text: string): void {
  appendFileSync(path, text);
}

/** Removes a file or a directory with all it holds; harmless when it is not there. */
export function removePath(path: string): void {
  rmSync(path, { recursive: true, force: true });
}

/** The physical identity of a file, "device:inode" (K4): a copy of a file has another one. */
export function identityOf(path: string): string | undefined {
  const s = statSync(path, { bigint: true, throwIfNoEntry: false });
  return s === undefined ? undefined : `${s.dev}:${s.ino}`;
}

export function joinPath(...parts: string[]): string {
  return join(...parts);
}

/** The bytes of a file, piece by piece; undefined when there is no such file. */
export function filePieces(path: string): AsyncIterable<Uint8Array> | undefined {
  return existsSync(path) ? createReadStream(path) : undefined;
}
