// There are no files in a page: src/verify.ts asks for them
// only when it is a program of its own, which it is not here.

export function existsSync(): boolean {
  return false;
}
export function readFileSync(): never {
  throw new Error("a page reads no files");
}
export function realpathSync(): never {
  throw new Error("a page reads no files");
}
