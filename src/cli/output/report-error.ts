// How a command fails: an exit code, and on standard error the code, a sentence, the place, the fix, and where to read
// more; with --json one line. Never a stack trace, unless PAWL_DEBUG=1 asks for it. Whatever was thrown gets a code.
import type { Code } from "../../errors/catalogue.ts";
import { PawlError } from "../../errors/error.ts";
import { colourAllowed, env, writeErr } from "../../platform/terminal.ts";
import { paint } from "./colors.ts";
import { withoutControlChars } from "./format.ts";
import { withoutPassword } from "../../core/store-url.ts";

export const exitCodes = {
  ok: 0,
  unexpected: 1,
  usage: 2,
  auth: 3,
  notFound: 4,
  conflict: 5,
  runFailed: 6,
  timedOut: 7,
  decision: 8,
  checkFailed: 9,
  storeUnreachable: 10,
  schema: 11,
  interrupted: 130,
} as const;

const byCode: Readonly<Partial<Record<Code, number>>> = {
  PAWL1001: exitCodes.usage,
  PAWL1002: exitCodes.usage,
  PAWL1003: exitCodes.usage,
  PAWL1004: exitCodes.usage,
  PAWL1005: exitCodes.usage,
  PAWL1006: exitCodes.decision,
  PAWL1007: exitCodes.decision,
  PAWL1008: exitCodes.usage,
  PAWL1013: exitCodes.runFailed,
  PAWL1014: exitCodes.runFailed,
  PAWL1016: exitCodes.usage,
  PAWL1017: exitCodes.checkFailed,
  PAWL1018: exitCodes.usage,
  PAWL2001: exitCodes.decision,
  PAWL2002: exitCodes.decision,
  PAWL2003: exitCodes.decision,
  PAWL2004: exitCodes.decision,
  PAWL2005: exitCodes.runFailed,
  PAWL2006: exitCodes.runFailed,
  PAWL2007: exitCodes.decision,
  PAWL2033: exitCodes.decision,
  PAWL2034: exitCodes.runFailed,
  PAWL3001: exitCodes.storeUnreachable,
  PAWL3002: exitCodes.storeUnreachable,
  PAWL3003: exitCodes.storeUnreachable,
  PAWL3004: exitCodes.schema,
  PAWL3005: exitCodes.usage,
  PAWL3006: exitCodes.storeUnreachable,
  PAWL3009: exitCodes.storeUnreachable,
  PAWL3013: exitCodes.storeUnreachable,
  PAWL3015: exitCodes.auth,
  PAWL3016: exitCodes.conflict,
  PAWL3019: exitCodes.usage,
  PAWL3025: exitCodes.storeUnreachable,
  PAWL3030: exitCodes.storeUnreachable,
  PAWL3031: exitCodes.storeUnreachable,
  PAWL3032: exitCodes.storeUnreachable,
  PAWL3033: exitCodes.storeUnreachable,
  PAWL3034: exitCodes.storeUnreachable,
  PAWL3035: exitCodes.storeUnreachable,
  PAWL3036: exitCodes.storeUnreachable,
  PAWL3037: exitCodes.schema,
  PAWL4001: exitCodes.notFound,
  PAWL4002: exitCodes.conflict,
  PAWL4003: exitCodes.conflict,
  PAWL4004: exitCodes.conflict,
  PAWL4005: exitCodes.usage,
  PAWL4006: exitCodes.timedOut,
  PAWL4007: exitCodes.conflict,
  PAWL4008: exitCodes.notFound,
  PAWL4009: exitCodes.conflict,
  PAWL4010: exitCodes.conflict,
  PAWL4052: exitCodes.conflict,
  PAWL4053: exitCodes.conflict,
  PAWL4011: exitCodes.usage,
  PAWL4020: exitCodes.usage,
  PAWL4021: exitCodes.conflict,
  PAWL4022: exitCodes.conflict,
  PAWL4023: exitCodes.conflict,
  PAWL4040: exitCodes.notFound,
  PAWL4041: exitCodes.notFound,
  PAWL4042: exitCodes.conflict,
  PAWL4043: exitCodes.checkFailed,
  PAWL4044: exitCodes.conflict,
  PAWL4050: exitCodes.conflict,
  PAWL4051: exitCodes.conflict,
  PAWL4070: exitCodes.conflict,
  PAWL4071: exitCodes.usage,
  PAWL4072: exitCodes.notFound,
  PAWL4060: exitCodes.usage,
  PAWL4061: exitCodes.usage,
  PAWL4062: exitCodes.usage,
  PAWL4063: exitCodes.usage,
  PAWL4064: exitCodes.usage,
  PAWL4065: exitCodes.usage,
  PAWL4066: exitCodes.usage,
  PAWL4067: exitCodes.usage,
  PAWL4068: exitCodes.usage,
  PAWL4030: exitCodes.conflict,
  PAWL4031: exitCodes.conflict,
  PAWL4032: exitCodes.checkFailed,
  PAWL4033: exitCodes.usage,
  PAWL4035: exitCodes.checkFailed,
  PAWL4036: exitCodes.notFound,
  PAWL4037: exitCodes.conflict,
  PAWL4038: exitCodes.checkFailed,
  PAWL4080: exitCodes.auth,
  PAWL4081: exitCodes.auth,
  PAWL4082: exitCodes.usage,
  PAWL4083: exitCodes.conflict,
  PAWL4084: exitCodes.storeUnreachable,
  PAWL4085: exitCodes.storeUnreachable,
  PAWL4086: exitCodes.usage,
  PAWL4087: exitCodes.usage,
  PAWL4088: exitCodes.storeUnreachable,
  PAWL4090: exitCodes.usage,
  PAWL4091: exitCodes.auth,
  PAWL4092: exitCodes.auth,
  PAWL4093: exitCodes.notFound,
  PAWL4094: exitCodes.storeUnreachable,
  PAWL4095: exitCodes.notFound,
  PAWL5040: exitCodes.usage,
  PAWL5041: exitCodes.usage,
  PAWL5042: exitCodes.usage,
  PAWL5001: exitCodes.usage,
  PAWL5002: exitCodes.usage,
  PAWL5004: exitCodes.usage,
  PAWL5005: exitCodes.usage,
  PAWL5006: exitCodes.storeUnreachable,
  PAWL5007: exitCodes.conflict,
  PAWL5008: exitCodes.storeUnreachable,
  PAWL5009: exitCodes.usage,
  PAWL5032: exitCodes.timedOut,
  PAWL5033: exitCodes.timedOut,
  PAWL5030: exitCodes.usage,
  PAWL5020: exitCodes.usage,
  PAWL5021: exitCodes.usage,
};

export function exitCodeOf(e: PawlError): number {
  return byCode[e.page] ?? exitCodes.unexpected;
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
    const [said = "", ...shown] = e.message.split("\n"); // a code frame has lines of its own
    writeErr(
      `${p.red(p.bold(e.code))} ${e.name === e.code ? "" : `${e.name}: `}${withoutControlChars(said)}\n` +
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
