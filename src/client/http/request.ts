// One request to a server, and what came of it: an answer, or a failure that says whether the request may have arrived. Values travel exactly
// (application/vnd.pawl+json); a problem becomes the PawlError that the server met. It never sends twice: that is decided in retry.ts.
import type { AddressedRequest } from "../../api/address.ts";
import { fromProblem, problemType } from "../../api/problem.ts";
import { decode, encode } from "../../codec/value.ts";
import { PawlError } from "../../errors/error.ts";
import type { HttpTarget } from "./target.ts";

const exactType = "application/vnd.pawl+json";
/** The server has limits of its own; these only keep a cycle from running forever. */
const bodyLimits = { valueBytesMax: 64 * 1_048_576, depthMax: 512 };
/** An answer that is no problem of ours, such as a proxy's page: so much of it is shown. */
const excerptMax = 200;

/** bytes: a file. stream: events as they come; the value is the body, still open. Else a value. */
export type AnswerForm = "bytes" | "stream";
const acceptOf: Readonly<Record<AnswerForm, string>> = { bytes: "application/zip", stream: "text/event-stream" };

export type TryResult =
  | { readonly kind: "answered"; readonly status: number; readonly value: unknown }
  | {
      readonly kind: "failed";
      readonly error: PawlError;
      /** It may pass by itself. */
      readonly passing: boolean;
      /** The request may have been carried out. */
      readonly inDoubt: boolean;
      /** 401: another token may be accepted. */
      readonly unauthenticated: boolean;
      /** How long the server asked to wait. */
      readonly afterMs?: number;
    };

/** Rejects with the signal's reason, and when there is no token; everything else that can happen is a result. */
export async function tryRequest(
  t: HttpTarget,
  r: AddressedRequest,
  o: { readonly signal: AbortSignal; readonly answers?: AnswerForm; readonly lastEventId?: string },
): Promise<TryResult> {
  const credentials = await t.credentials();
  const init: RequestInit = {
    method: r.method,
    headers: {
      ...credentials,
      accept: `${o.answers === undefined ? exactType : acceptOf[o.answers]}, ${problemType}`,
      ...(o.lastEventId === undefined ? {} : { "last-event-id": o.lastEventId }),
      ...(r.body === undefined ? {} : { "content-type": exactType }),
    },
    ...(r.body === undefined ? {} : { body: encode(withoutUndefined(r.body), bodyLimits, "the request") }),
    signal: o.signal,
    redirect: "error",
    credentials: "omit",
  };
  let response: Response;
  try {
    response = await t.web.fetch(`${t.base}${r.path}`, init);
  } catch (e) {
    if (o.signal.aborted) throw o.signal.reason;
    return networkFailure(t, e);
  }
  try {
    if (response.ok && o.answers === "bytes")
      return { kind: "answered", status: response.status, value: new Uint8Array(await response.arrayBuffer()) };
    if (response.ok && o.answers === "stream" && (response.headers.get("content-type") ?? "").startsWith(acceptOf.stream))
      return { kind: "answered", status: response.status, value: response.body };
    const text = await response.text();
    return response.ok ? readAnswer(t, response, text) : readProblem(t, response, text);
  } catch (e) {
    if (o.signal.aborted) throw o.signal.reason;
    return networkFailure(t, e);
  }
}

/** Members that are undefined are absent, as they are in a call; members of values below keep theirs. */
function withoutUndefined(body: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));
}

function readAnswer(t: HttpTarget, response: Response, text: string): TryResult {
  const type = response.headers.get("content-type") ?? "";
  try {
    if (type.startsWith(exactType)) return { kind: "answered", status: response.status, value: text === "" ? undefined : decode(text) };
  } catch {
    // a cut or foreign body: said below
  }
  return foreignAnswer(t, response, text);
}

/** Something between us and the server answered, or no server of Pawl's is there. */
function foreignAnswer(t: HttpTarget, response: Response, text: string): TryResult {
  const shown = text.replaceAll(/\s+/g, " ").trim().slice(0, excerptMax);
  const message = `${t.base} answered ${response.status}${shown === "" ? "" : `, which is not an answer of Pawl: ${shown}`}`;
  const passing = isPassing(response.status);
  return {
    kind: "failed",
    error: new PawlError("PAWL4088", message, { outcome: "none", data: { status: response.status } }),
    passing,
    // 429 comes before the request is looked at; of anything else a gateway says nobody knows what happened behind it.
    inDoubt: response.status !== 429 && (response.status >= 500 || response.ok),
    unauthenticated: response.status === 401,
    ...retryAfter(t, response),
  };
}

function readProblem(t: HttpTarget, response: Response, text: string): TryResult {
  const problem = (response.headers.get("content-type") ?? "").startsWith(problemType) ? parse(text) : undefined;
  const error = fromProblem(problem);
  if (error === undefined) return foreignAnswer(t, response, text);
  return {
    kind: "failed",
    error,
    passing: isPassing(response.status) && (problem as { retryable?: unknown }).retryable !== false && error.page !== "PAWL4006",
    inDoubt: error.outcome === "unknown",
    unauthenticated: response.status === 401,
    ...retryAfter(t, response),
  };
}

function networkFailure(t: HttpTarget, e: unknown): TryResult {
  const { code, reason } = networkReason(e);
  return {
    kind: "failed",
    error: new PawlError("PAWL4088", `${t.base} did not answer: ${reason}`, { cause: e, data: code === undefined ? {} : { reason: code } }),
    passing: !untrusted.test(code ?? ""),
    // Nobody listens, the name is unknown, or its certificate is not accepted: nothing was sent.
    inDoubt: code !== "ECONNREFUSED" && code !== "ENOTFOUND" && code !== "EAI_AGAIN" && !untrusted.test(code ?? ""),
    unauthenticated: false,
  };
}

/** A certificate that is not accepted, or a server that does not speak TLS: nothing of that passes by itself. */
const untrusted = /^(CERT_|ERR_TLS_CERT_|ERR_SSL_|SELF_SIGNED_|DEPTH_ZERO_|UNABLE_TO_)/;

/** Node says why in the cause; a browser says nothing more than that it failed. */
function networkReason(e: unknown): { code?: string; reason: string } {
  const cause = (e as { cause?: unknown }).cause;
  const inner = cause instanceof AggregateError ? (cause.errors[0] as unknown) : cause;
  const { code, message } = (inner ?? e) as { code?: unknown; message?: unknown };
  if (typeof code === "string") return { code, reason: code };
  return { reason: typeof message === "string" && message !== "" ? message.slice(0, excerptMax) : "the network failed" };
}

function isPassing(status: number): boolean {
  return status === 429 || (status >= 502 && status <= 504);
}

function retryAfter(t: HttpTarget, response: Response): { afterMs?: number } {
  const text = response.headers.get("retry-after");
  if (text === null) return {};
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - t.web.wallMs();
  return Number.isFinite(ms) ? { afterMs: Math.max(0, ms) } : {};
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
