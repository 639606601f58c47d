// Only a program of its own has a path, and a page is none (see fs.ts).
// It must never be used to read anything.

export function pathToFileURL(path: string): URL {
  return new URL(path, "file:///");
}
