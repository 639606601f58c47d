// A driver that could not be loaded, in words that help: it is not installed, or a bundler has left its files behind. Used by
// every store that brings its driver from outside.
import { PawlError } from "../../errors/error.ts";

export function driverMissing(store: string, packages: readonly string[], cause: unknown): PawlError {
  const names = packages.join(" or ");
  const why = cause instanceof Error ? (cause.message.split("\n")[0] ?? "") : String(cause);
  return new PawlError(
    "PAWL5008",
    `the ${store} store needs ${names}, which could not be loaded (${why.slice(0, 200)}): npm install ${packages.at(-1) ?? ""}; in a bundled program mark ${names} as external`,
    { cause, data: { packages: names } },
  );
}
