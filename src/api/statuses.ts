// What each error code is on every surface: its HTTP status, its JSON-RPC code, the exit code of the command line, and whether the same
// request may be sent again. One row per code of the catalogue; a code without a row does not compile. Browsers load it: no Node, no package.
import type { Code } from "../errors/catalogue.ts";
import type { PawlError } from "../errors/error.ts";

/** The exit codes of the command line. A published one never gets another meaning. */
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

export interface CodeStatus {
  readonly http: ErrorStatus;
  readonly rpc: number;
  readonly exit: number;
  /** The cause passes by itself: the same request, with the same id, may be sent again and can then succeed. */
  readonly retryable: boolean;
}

/** The HTTP statuses of errors, each with the JSON-RPC code that says the same. */
const rpcCodes = {
  400: -32600,
  401: -32001,
  403: -32001,
  404: -32004,
  409: -32009,
  410: -32004,
  412: -32009,
  413: -32600,
  415: -32600,
  421: -32001,
  422: -32602,
  429: -32029,
  500: -32603,
  503: -32003,
  504: -32003,
} as const;
export type ErrorStatus = keyof typeof rpcCodes;

const as = (http: ErrorStatus, exit: number, retryable = false): CodeStatus => ({ http, rpc: rpcCodes[http], exit, retryable });

export const statuses: Readonly<Record<Code, CodeStatus>> = {
  PAWL1001: as(422, exitCodes.usage),
  PAWL1002: as(422, exitCodes.usage),
  PAWL1003: as(422, exitCodes.usage),
  PAWL1004: as(413, exitCodes.usage),
  PAWL1005: as(422, exitCodes.usage),
  PAWL1006: as(409, exitCodes.decision),
  PAWL1007: as(409, exitCodes.decision),
  PAWL1008: as(422, exitCodes.usage),
  PAWL1009: as(500, exitCodes.unexpected),
  PAWL1010: as(500, exitCodes.unexpected),
  PAWL1011: as(422, exitCodes.unexpected),
  PAWL1012: as(409, exitCodes.unexpected),
  PAWL1013: as(409, exitCodes.runFailed),
  PAWL1014: as(409, exitCodes.runFailed),
  PAWL1015: as(500, exitCodes.unexpected),
  PAWL1016: as(422, exitCodes.usage),
  PAWL1017: as(500, exitCodes.checkFailed),
  PAWL1018: as(422, exitCodes.usage),
  PAWL1020: as(409, exitCodes.unexpected),
  PAWL1021: as(500, exitCodes.unexpected),
  PAWL1022: as(500, exitCodes.unexpected),
  PAWL1023: as(409, exitCodes.unexpected),
  PAWL1030: as(500, exitCodes.unexpected),
  PAWL1031: as(409, exitCodes.unexpected),
  PAWL1032: as(409, exitCodes.unexpected),
  PAWL1033: as(500, exitCodes.unexpected),
  PAWL1034: as(409, exitCodes.unexpected),
  PAWL1035: as(409, exitCodes.unexpected),
  PAWL1036: as(409, exitCodes.unexpected),
  PAWL2001: as(409, exitCodes.decision),
  PAWL2002: as(409, exitCodes.decision),
  PAWL2003: as(409, exitCodes.decision),
  PAWL2004: as(409, exitCodes.decision),
  PAWL2005: as(409, exitCodes.runFailed),
  PAWL2006: as(409, exitCodes.runFailed),
  PAWL2007: as(409, exitCodes.decision),
  PAWL2008: as(409, exitCodes.unexpected),
  PAWL2033: as(409, exitCodes.decision),
  PAWL2034: as(409, exitCodes.runFailed),
  PAWL3001: as(503, exitCodes.storeUnreachable, true),
  PAWL3002: as(503, exitCodes.storeUnreachable, true),
  PAWL3003: as(503, exitCodes.storeUnreachable),
  PAWL3004: as(503, exitCodes.schema),
  PAWL3005: as(422, exitCodes.usage),
  PAWL3006: as(500, exitCodes.storeUnreachable),
  PAWL3007: as(500, exitCodes.unexpected),
  PAWL3008: as(422, exitCodes.unexpected),
  PAWL3009: as(503, exitCodes.storeUnreachable),
  PAWL3010: as(500, exitCodes.unexpected),
  PAWL3011: as(500, exitCodes.unexpected),
  PAWL3012: as(422, exitCodes.unexpected),
  PAWL3013: as(500, exitCodes.storeUnreachable),
  PAWL3015: as(500, exitCodes.auth),
  PAWL3016: as(409, exitCodes.conflict),
  PAWL3017: as(409, exitCodes.unexpected),
  PAWL3018: as(422, exitCodes.unexpected),
  PAWL3019: as(500, exitCodes.usage),
  PAWL3025: as(503, exitCodes.storeUnreachable, true),
  PAWL3030: as(503, exitCodes.storeUnreachable),
  PAWL3031: as(503, exitCodes.storeUnreachable),
  PAWL3032: as(503, exitCodes.storeUnreachable, true),
  PAWL3033: as(503, exitCodes.storeUnreachable),
  PAWL3034: as(503, exitCodes.storeUnreachable, true),
  PAWL3035: as(503, exitCodes.storeUnreachable),
  PAWL3036: as(503, exitCodes.storeUnreachable),
  PAWL3037: as(503, exitCodes.schema),
  PAWL4001: as(404, exitCodes.notFound),
  PAWL4002: as(409, exitCodes.conflict),
  PAWL4003: as(409, exitCodes.conflict),
  PAWL4004: as(409, exitCodes.conflict),
  PAWL4005: as(422, exitCodes.usage),
  PAWL4006: as(504, exitCodes.timedOut, true),
  PAWL4007: as(409, exitCodes.conflict),
  PAWL4008: as(404, exitCodes.notFound),
  PAWL4009: as(409, exitCodes.conflict),
  PAWL4010: as(409, exitCodes.conflict),
  PAWL4011: as(422, exitCodes.usage),
  PAWL4020: as(422, exitCodes.usage),
  PAWL4021: as(409, exitCodes.conflict),
  PAWL4022: as(409, exitCodes.conflict),
  PAWL4023: as(409, exitCodes.conflict),
  PAWL4030: as(409, exitCodes.conflict),
  PAWL4031: as(409, exitCodes.conflict),
  PAWL4032: as(422, exitCodes.checkFailed),
  PAWL4033: as(422, exitCodes.usage),
  PAWL4035: as(400, exitCodes.checkFailed),
  PAWL4036: as(404, exitCodes.notFound),
  PAWL4037: as(409, exitCodes.conflict),
  PAWL4038: as(409, exitCodes.checkFailed),
  PAWL4040: as(410, exitCodes.notFound),
  PAWL4041: as(410, exitCodes.notFound),
  PAWL4042: as(410, exitCodes.conflict),
  PAWL4043: as(422, exitCodes.checkFailed),
  PAWL4044: as(409, exitCodes.conflict),
  PAWL4050: as(409, exitCodes.conflict),
  PAWL4051: as(409, exitCodes.conflict),
  PAWL4052: as(409, exitCodes.conflict),
  PAWL4053: as(422, exitCodes.conflict),
  PAWL4060: as(500, exitCodes.usage),
  PAWL4061: as(500, exitCodes.usage),
  PAWL4062: as(500, exitCodes.usage),
  PAWL4063: as(500, exitCodes.usage),
  PAWL4064: as(422, exitCodes.usage),
  PAWL4065: as(422, exitCodes.usage),
  PAWL4066: as(500, exitCodes.usage),
  PAWL4067: as(422, exitCodes.usage),
  PAWL4068: as(500, exitCodes.usage),
  PAWL4070: as(409, exitCodes.conflict),
  PAWL4071: as(422, exitCodes.usage),
  PAWL4072: as(404, exitCodes.notFound),
  PAWL4080: as(401, exitCodes.auth),
  PAWL4081: as(403, exitCodes.auth),
  PAWL4082: as(422, exitCodes.usage),
  PAWL4083: as(412, exitCodes.conflict),
  PAWL4084: as(429, exitCodes.storeUnreachable, true),
  PAWL4085: as(503, exitCodes.storeUnreachable, true),
  PAWL4086: as(422, exitCodes.usage),
  PAWL4087: as(400, exitCodes.usage),
  PAWL4088: as(503, exitCodes.storeUnreachable, true),
  PAWL4090: as(422, exitCodes.usage),
  PAWL4091: as(403, exitCodes.auth),
  PAWL4092: as(403, exitCodes.auth),
  PAWL4093: { ...as(404, exitCodes.notFound), rpc: -32601 },
  PAWL4094: as(503, exitCodes.storeUnreachable, true),
  PAWL4095: as(404, exitCodes.notFound),
  PAWL4110: as(409, exitCodes.conflict),
  PAWL5001: as(422, exitCodes.usage),
  PAWL5002: as(500, exitCodes.usage),
  PAWL5003: as(503, exitCodes.unexpected, true),
  PAWL5004: as(500, exitCodes.usage),
  PAWL5005: as(500, exitCodes.usage),
  PAWL5006: as(503, exitCodes.storeUnreachable),
  PAWL5007: as(409, exitCodes.conflict),
  PAWL5008: as(503, exitCodes.storeUnreachable),
  PAWL5009: as(422, exitCodes.usage),
  PAWL5010: as(500, exitCodes.unexpected),
  PAWL5020: as(422, exitCodes.usage),
  PAWL5021: as(422, exitCodes.usage),
  PAWL5030: as(500, exitCodes.usage),
  PAWL5031: as(500, exitCodes.unexpected),
  PAWL5032: as(500, exitCodes.timedOut),
  PAWL5033: as(500, exitCodes.timedOut),
  PAWL5040: as(500, exitCodes.usage),
  PAWL5041: as(500, exitCodes.usage),
  PAWL5042: as(500, exitCodes.usage),
};

/** Codes that stand for several statuses; `data.status` says which one it is this time. */
const severalStatuses: Partial<Record<Code, readonly ErrorStatus[]>> = {
  PAWL4087: [400, 413, 415],
  PAWL4091: [403, 421],
};

/** The statuses of one error. A refused body or origin may name a narrower status in `data.status`: 413 for one that is too large. */
export function statusOf(e: Pick<PawlError, "page" | "data">): CodeStatus {
  const row = statuses[e.page];
  const narrower = severalStatuses[e.page]?.find((s) => s === e.data["status"]);
  return narrower === undefined ? row : { ...row, http: narrower, rpc: rpcCodes[narrower] };
}

/**
 * Whether the same request, with the same id, may be sent again: its cause passes by itself, or nobody knows what became of it, and then the
 * id makes it act once. A signal whose acceptance nobody knows (PAWL4004) is never repeated before a person has looked.
 */
export function maySendAgain(e: Pick<PawlError, "page" | "outcome">): boolean {
  return statuses[e.page].retryable || (e.outcome === "unknown" && e.page !== "PAWL4004");
}
