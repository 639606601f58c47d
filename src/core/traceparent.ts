// W3C trace context as text: `00-<trace id>-<span id>-<flags>`. It is recorded with a run's start and passed on. Pure rules: what is not
// well formed is no trace. It must never be trusted for anything but finding spans.
import { PawlError } from "../errors/error.ts";

export interface TracePlace {
  readonly traceId: string;
  readonly spanId: string;
  readonly flags: number;
}

const format = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const zeros = /^0+$/;

/** Null: it names no span. A later version of the format is read as this one, as the specification asks for. */
export function parseTraceparent(text: unknown): TracePlace | null {
  const found = typeof text === "string" && text.length <= 512 ? format.exec(text) : null;
  if (found === null) return null;
  const [, version = "", traceId = "", spanId = "", flags = "", more] = found;
  if (version === "ff" || (version === "00" && more !== undefined) || zeros.test(traceId) || zeros.test(spanId)) return null;
  return { traceId, spanId, flags: Number.parseInt(flags, 16) & 1 };
}

export function traceparentText({ traceId, spanId, flags }: TracePlace): string {
  return `00-${traceId}-${spanId}-0${flags & 1}`;
}

/** Of a caller who names it on purpose: a misspelt one would be a trace that silently ends. */
export function checkTraceparent(text: unknown): string {
  const place = parseTraceparent(text);
  if (place === null)
    throw new PawlError(
      "PAWL4011",
      "traceparent must be W3C trace context, such as 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
    );
  return traceparentText(place);
}
