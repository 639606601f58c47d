// How a command fails: an exit code, and on standard error the code, a sentence, the place, the fix, and where to read
// more; with --json one line. Never a stack trace, unless PAWL_DEBUG=1 asks for it. Whatever was thrown gets a code.
import { statuses } from "../../api/statuses.ts";
import { catalogue } from "../../errors/catalogue.ts";
import { PawlError } from "../../errors/error.ts";
import { colourAllowed, env, writeErr } from "../../platform/terminal.ts";
import { paint } from "./colors.ts";
import { withoutControlChars } from "./format.ts";
import { withoutPassword } from "../../core/store-url.ts";

export { exitCodes } from "../../api/statuses.ts";

export function exitCodeOf(e: PawlError): number {
  return statuses[e.page].exit;
}

/** Where it happened, when the error does not say so itself: the store, the file. */
const places = new WeakMap<PawlError, string>();

/** The error as a PawlError, with the place it happened at. */
export function withLocation(e: unknown, place: string): PawlError {
  const known = toPawlError(e);
  if (!places.has(known)) places.set(known, withoutPassword(place));
  return known;
}

/** What is wrong with a path that somebody gave; a store says for itself what is wrong with its own. */
const wrongPath: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file or folder",
  ENOTDIR: "this is a file, not a folder",
  EISDIR: "this is a folder, not a file",
};

/** Anything that was thrown, with a code. The machine's own refusals (no permission, no space) are the store's. */
export function toPawlError(e: unknown): PawlError {
  if (e instanceof PawlError) return e;
  const { code, syscall, path } = (typeof e === "object" && e !== null ? e : {}) as { code?: unknown; syscall?: unknown; path?: unknown };
  const message = e instanceof Error ? e.message : String(e);
  const wrong = typeof code === "string" && syscall !== "connect" ? wrongPath[code] : undefined;
  if (wrong !== undefined) return new PawlError("PAWL4011", typeof path === "string" ? `${path}: ${wrong}` : wrong, { cause: e });
  if (typeof code === "string" && typeof syscall === "string") return new PawlError("PAWL3002", message, { cause: e });
  return new PawlError("PAWL5010", message, { cause: e });
}

/** Prints the failure and returns the exit code that goes with it. */
export function reportError(thrown: unknown, json: boolean): number {
  const e = toPawlError(thrown);
  const at = places.get(e);
  if (json)
    writeErr(
      `${JSON.stringify({ code: e.code, title: e.name, detail: e.message, fix: e.fix, data: { ...e.data, ...(at === undefined ? {} : { at }) } })}\n`,
    );
  else {
    const p = paint(colourAllowed("err"));
    const facts = Object.entries(e.data).filter(([k, v]) => v !== null && k !== "help" && !e.message.includes(String(v)));
    const place = [...(at === undefined ? [] : [at]), ...facts.map(([k, v]) => `${k} ${String(v)}`)].join(", ");
    const headed = e.name === e.code ? { code: e.page, name: catalogue[e.page].name } : e; // for people, its page; the contract's name is in --json
    const [said = "", ...shown] = e.message.split("\n"); // a code frame has lines of its own
    writeErr(
      `${p.red(p.bold(headed.code))} ${headed.name}: ${withoutControlChars(said)}\n` +
        shown.map((line) => `  ${withoutControlChars(line)}\n`).join("") +
        (place === "" ? "" : `  at    ${withoutControlChars(place)}\n`) +
        `  fix   ${e.fix}\n` +
        `  more  pawl explain ${e.page}${e.data["help"] === undefined ? "" : `, ${String(e.data["help"])}`}\n`,
    );
  }
  if (env("PAWL_DEBUG") === "1") writeErr(`${stackOf(thrown)}\n`);
  return exitCodeOf(e);
}

function stackOf(e: unknown): string {
  if (!(e instanceof Error)) return String(e);
  return `${e.stack ?? e.message}${e.cause === undefined ? "" : `\ncaused by ${stackOf(e.cause)}`}`;
}
