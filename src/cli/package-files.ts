// The pages of this package that a command shows. Where the package lies is platform's to know; it must never invent a page
// that is not there.
import { ownFile } from "../platform/own-package.ts";

export { ownVersion } from "../platform/own-package.ts";

/** The page of an error code; undefined when the package has none. */
export function errorPage(code: string): string | undefined {
  return ownFile("docs", "errors", `${code}.md`);
}

/** The transcripts of the worker protocol. */
export function workerProtocolText(): string {
  return ownFile("contract", "vectors", "worker-protocol.json") ?? "{}";
}
