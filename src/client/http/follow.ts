// Following over HTTP: server-sent events, read frame by frame. A line that breaks, falls silent or is ended by the server is opened again at the place
// where it was, so that no event is left out and none comes twice. It ends with the run, with its caller's signal, or with an error that
// does not pass.
import type { FollowItem, FollowOptions, WatchItem } from "../../api/types/follow.ts";
import type { RunFilter } from "../../api/types/run.ts";
import { addressOf } from "../../api/address.ts";
import type { Operation } from "../../api/operations.ts";
import { decode } from "../../codec/value.ts";
import type { HttpCaller } from "./call.ts";
import { sendRequest } from "./retry.ts";

/** A server beats every 15 seconds: a line that is silent for longer is dead. */
const silenceMs = 45_000;
const againMs = 1_000;

interface ServerEvent {
  readonly event: string;
  readonly id?: string;
  readonly data: string;
}

export async function* followRun(c: HttpCaller, id: string, o: FollowOptions = {}): AsyncGenerator<FollowItem> {
  let place = o.run === undefined ? undefined : `${encodeURIComponent(o.run)}:${o.after ?? 0}`;
  /** The run that was named last, and the last event of it that was given. */
  let named: string | undefined;
  let given = 0;
  const input = (): Readonly<Record<string, unknown>> => ({
    id,
    ...(o.payloads === undefined ? {} : { payloads: o.payloads }),
    ...(place === undefined && o.after !== undefined ? { after: o.after } : {}),
  });
  for await (const frame of framesOf(c, "runs.events", input, () => place, o.signal)) {
    const item = itemOf(frame);
    if (item === undefined) continue;
    if (frame.id !== undefined) place = frame.id;
    if (item.kind === "run") {
      // Said again after each interruption.
      if (item.run.runId === named) continue;
      [named, given] = [item.run.runId, 0];
    } else if (item.kind === "event") {
      if (item.event.runSeq <= given) continue;
      given = item.event.runSeq;
    }
    yield item;
    if (item.kind === "end") return;
  }
}

function itemOf({ event, data }: ServerEvent): FollowItem | undefined {
  switch (event) {
    case "run":
      return { kind: "run", run: decode(data) as never };
    case "event":
      return { kind: "event", event: decode(data) as never };
    case "moved":
    case "end":
      return { kind: event, ...(decode(data) as object) } as FollowItem;
    default:
      return undefined;
  }
}

export async function* watchRuns(
  c: HttpCaller,
  filter: Omit<RunFilter, "limit" | "cursor"> = {},
  o: { readonly signal?: AbortSignal } = {},
): AsyncGenerator<WatchItem> {
  for await (const { event, data } of framesOf(
    c,
    "runs.watch",
    () => ({ ...filter }),
    () => undefined,
    o.signal,
  )) {
    if (event === "reset") yield { kind: "reset" };
    else if (event === "run") yield { kind: "run", run: decode(data) as never };
  }
}

/** The frames of one line after another, until the signal ends it. */
export async function* framesOf(
  { target }: HttpCaller,
  operation: Operation,
  input: () => Readonly<Record<string, unknown>>,
  place: () => string | undefined,
  signal: AbortSignal | undefined,
): AsyncGenerator<ServerEvent> {
  const ending = new AbortController();
  const ended = signal === undefined ? ending.signal : AbortSignal.any([ending.signal, signal]);
  try {
    for (;;) {
      const lastEventId = place();
      const address = addressOf(operation, { ...input(), values: "exact" });
      const body = (await sendRequest(target, operation, address, {
        answers: "stream",
        signal: ended,
        ...(lastEventId === undefined ? {} : { lastEventId }),
      })) as ReadableStream<Uint8Array>;
      yield* readFrames(body, (reading) => withinSilence(target.web.sleep, reading));
      await target.web.sleep(againMs, AbortSignal.any([target.closed, ended]));
    }
  } catch (e) {
    if (signal?.aborted !== true) throw e;
  } finally {
    ending.abort(); // the line is closed when its reader stops
  }
}

/** Undefined: nothing came for so long that nothing will. */
async function withinSilence<T>(sleep: (ms: number, signal?: AbortSignal) => Promise<void>, reading: Promise<T>): Promise<T | undefined> {
  const done = new AbortController();
  const silent = sleep(silenceMs, done.signal).then(
    () => undefined,
    () => undefined,
  );
  try {
    return await Promise.race([reading, silent]);
  } finally {
    done.abort();
  }
}

type Reading = Awaited<ReturnType<ReadableStreamDefaultReader<Uint8Array>["read"]>>;

/** Ends when the line ends, breaks or falls silent. */
async function* readFrames(
  body: ReadableStream<Uint8Array>,
  limit: (reading: Promise<Reading>) => Promise<Reading | undefined>,
): AsyncGenerator<ServerEvent> {
  const reader = body.getReader();
  const text = new TextDecoder();
  let rest = "";
  try {
    for (;;) {
      const part = await limit(reader.read()).catch(() => undefined);
      if (part === undefined || part.done) return;
      rest += text.decode(part.value, { stream: true });
      const whole = rest.split("\n\n");
      rest = whole.pop() ?? "";
      for (const frame of whole.map(parseFrame)) if (frame !== undefined) yield frame;
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}

function parseFrame(text: string): ServerEvent | undefined {
  const fields = new Map<string, string>();
  for (const line of text.split("\n")) {
    const at = line.indexOf(": ");
    if (at > 0) fields.set(line.slice(0, at), line.slice(at + 2));
  }
  const [event, data, id] = [fields.get("event"), fields.get("data"), fields.get("id")];
  return event === undefined || data === undefined ? undefined : { event, data, ...(id === undefined ? {} : { id }) };
}
