// Server-sent events: the log of a run as it grows, and the state of many runs as it changes. All connections of a run share one reader and the
// bytes of each frame. Every heartbeat asks whether the credential still holds. It must never show a payload to a caller without the
// scope for it, and never hold more than a bounded queue for a reader that is slow.
import type { Operation } from "../api/operations.ts";
import type { GraphStreamOptions } from "../api/types/graph-stream.ts";
import { requireLog } from "../client/archive/availability.ts";
import type { LocalClientDeps } from "../client/client-deps.ts";
import { requireRun } from "../client/find-run.ts";
import { openGraphStream } from "../client/graphs/stream.ts";
import { toRunQuery } from "../client/lists/list-runs.ts";
import type { ChangeBatch } from "../client/streams/change-reader.ts";
import { openRunCursor, type FollowPage, type RunCursor } from "../client/streams/follow.ts";
import { hubOf } from "../client/streams/hub.ts";
import type { SharedEvent } from "../client/streams/run-reader.ts";
import type { Logger } from "../engine/run-host.ts";
import { PawlError } from "../errors/error.ts";
import type { Cancel } from "../platform/platform.ts";
import type { Caller } from "./access/caller.ts";
import { stillHolds } from "./access/still-holds.ts";
import type { ServedAnswer } from "./http/answer.ts";
import { lastGraphPlace, showGraph } from "./graph-frames.ts";
import { messageFarewell, messageHeaders, showMessage } from "./message-frames.ts";
import { hidePayloads } from "./hide.ts";
import type { ServerMetrics } from "./metrics.ts";
import type { Admitted } from "./operate.ts";
import type { Members } from "./rest.ts";
import { type SseFrame, SseConnection, sseFrame } from "./http/sse-connection.ts";
import { type Encoding, encodeValue, encodingOfAccept } from "./wire.ts";

const standardHeartbeatMs = 15_000;
const perCallerMax = 200;
const allMax = 2_000;
/** What a stream could not keep: it has no pages, and every event of it has its place. */
const pageMembers = ["before", "limit", "cursor", "step"] as const;
/** How long a stream may take to go after its `bye`. */
const byeMs = 2_000;

export interface StreamDeps {
  readonly client: LocalClientDeps;
  readonly log: Logger;
  readonly metrics: ServerMetrics;
  /** Schema and authorise, as for every operation. */
  permit(admitted: Admitted, operation: Operation, input: Members): Members;
  readonly heartbeatMs?: number | undefined;
}

interface OpenStream {
  readonly connection: SseConnection;
  readonly caller: Caller;
  /** Its last frame, when it is the server that ends it. */
  readonly farewell: (why: Farewell) => SseFrame;
}
type Farewell = "draining" | "overrun" | "credential" | "trouble";

function bye(why: Farewell): SseFrame {
  return why === "overrun" ? sseFrame("overrun", "{}") : sseFrame("bye", JSON.stringify({ reason: why }));
}

export class Streams {
  readonly #deps: StreamDeps;
  readonly #open = new Set<OpenStream>();
  readonly #perCaller = new Map<string, number>();
  readonly #frames = new WeakMap<object, Map<string, SseFrame>>();
  #beating: Cancel | null = null;
  #empty: (() => void) | undefined;

  constructor(deps: StreamDeps) {
    this.#deps = deps;
  }

  /** How many are open now. */
  get size(): number {
    return this.#open.size;
  }

  async respond(operation: Operation, admitted: Admitted, given: Members): Promise<ServedAnswer> {
    const input = this.#deps.permit(admitted, operation, given);
    const paged = pageMembers.find((name) => input[name] !== undefined);
    if (paged !== undefined)
      throw new PawlError("PAWL4011", `${paged} is for pages, and this request asks for a stream: leave it out`, {
        errors: [{ pointer: `/${paged}`, message: "is not possible with a stream" }],
      });
    const { method, headers: asked, query } = admitted.inbound;
    const exact = query.get("values") === "exact";
    const look = {
      encoding: exact ? "exact" : encodingOfAccept(asked.get("accept")),
      payloads: admitted.caller.scopes.includes("payloads") && input["payloads"] !== "none",
    } as const;
    if (operation === "runs.message" && method !== "HEAD") return this.#respondWithMessage(admitted, input);
    if (operation === "runs.stream" && method !== "HEAD") return this.#respondWithGraph(admitted, input, look.encoding);
    const place = lastEventPlace(asked.get("last-event-id"));
    const followed = operation === "runs.watch" ? (input["follow"] as string | undefined) : (input["id"] as string);
    const after = typeof input["after"] === "number" ? { after: input["after"] } : {};
    if (method === "HEAD") {
      admitted.end();
      return { status: 200, headers: { ...headers }, body: null };
    }
    if (operation === "runs.watch") toRunQuery(this.#deps.client.scope, changeFilter(input)); // what is wrong with it is refused as an answer
    const cursor = followed === undefined ? undefined : await openRunCursor(this.#deps.client, followed, place ?? after);
    let stream: OpenStream;
    try {
      stream = this.#enter(admitted.caller);
    } catch (e) {
      cursor?.close();
      throw e;
    }
    const { connection } = stream;
    const types = input["types"] as readonly string[] | undefined;
    if (operation === "runs.watch") this.#guarded(stream, this.#showChanges(connection, changeFilter(input), look.encoding));
    if (cursor !== undefined) this.#guarded(stream, this.#showRun(connection, cursor, look, types, operation !== "runs.watch"));
    this.#deps.metrics.countRequest(operation, 200);
    admitted.end(); // streams are counted and ended here, not as requests
    return { status: 200, headers: { ...headers }, body: connection };
  }

  /** A graph's supersteps. Each frame's id is its place, so that a reader that was cut continues behind it. */
  async #respondWithGraph(admitted: Admitted, input: Members, encoding: Encoding): Promise<ServedAnswer> {
    const { client, metrics } = this.#deps;
    const row = requireLog(await requireRun(client, input["id"] as string));
    const from = lastGraphPlace(admitted.inbound.headers.get("last-event-id"), row.runId);
    const stream = this.#enter(admitted.caller);
    const { connection } = stream;
    const { modes, after } = input as GraphStreamOptions;
    const asked = { ...(modes === undefined ? {} : { modes }), ...(after === undefined ? {} : { after }), signal: connection.signal };
    // What is refused is refused as an answer, not in the stream.
    const items = await openGraphStream(client, row, asked, from).catch((e: unknown) => {
      connection.end();
      throw e;
    });
    this.#guarded(stream, showGraph(connection, row.runId, items, encoding));
    metrics.countRequest("runs.stream", 200);
    admitted.end();
    return { status: 200, headers: { ...headers }, body: connection };
  }

  /** An agent's run as one message. It has no places: who was cut asks again, and gets it from its start. */
  async #respondWithMessage(admitted: Admitted, input: Members): Promise<ServedAnswer> {
    const { client, metrics } = this.#deps;
    const row = requireLog(await requireRun(client, input["id"] as string));
    const stream = this.#enter(admitted.caller, messageFarewell);
    this.#guarded(stream, showMessage(stream.connection, client, row.runId));
    metrics.countRequest("runs.message", 200);
    admitted.end();
    return { status: 200, headers: { ...headers, ...messageHeaders(client, row) }, body: stream.connection };
  }

  /** Every stream gets `bye`; resolves when they have gone, or after a while. */
  async bye(): Promise<void> {
    for (const { connection, farewell } of this.#open) connection.end(farewell("draining"));
    if (this.#open.size === 0) return;
    await new Promise<void>((resolve) => {
      const cancel = this.#deps.client.platform.timer(byeMs, resolve, true);
      this.#empty = () => {
        cancel();
        resolve();
      };
    });
  }

  #enter(caller: Caller, farewell: OpenStream["farewell"] = bye): OpenStream {
    const key = caller.tokenId ?? `${caller.principal.kind}:${caller.principal.subject}`;
    const own = this.#perCaller.get(key) ?? 0;
    if (own >= perCallerMax) throw new PawlError("PAWL4084", `this caller has ${own} streams open; ${perCallerMax} are allowed`);
    if (this.#open.size >= allMax)
      throw new PawlError("PAWL4084", `this server has ${this.#open.size} streams open; ${allMax} are allowed`);
    this.#perCaller.set(key, own + 1);
    const connection = new SseConnection(() => {
      if (!this.#open.delete(stream)) return;
      const left = (this.#perCaller.get(key) ?? 1) - 1;
      if (left === 0) this.#perCaller.delete(key);
      else this.#perCaller.set(key, left);
      if (this.#open.size > 0) return;
      this.#beating?.();
      this.#beating = null;
      this.#empty?.();
    });
    const stream = { connection, caller, farewell };
    this.#open.add(stream);
    this.#beat();
    return stream;
  }

  #beat(): void {
    const { platform } = this.#deps.client;
    this.#beating ??= platform.timer(this.#deps.heartbeatMs ?? standardHeartbeatMs, () => {
      this.#beating = null;
      for (const stream of this.#open) void this.#check(stream);
      if (this.#open.size > 0) this.#beat();
    });
  }

  async #check({ connection, caller, farewell }: OpenStream): Promise<void> {
    if (!connection.beat()) {
      this.#deps.metrics.countOverrun();
      return connection.end(farewell("overrun"));
    }
    if (!(await stillHolds(caller, this.#deps.client.platform))) connection.end(farewell("credential"));
  }

  #guarded({ connection, farewell }: OpenStream, work: Promise<void>): void {
    work.catch((error: unknown) => {
      this.#deps.log("warn", "a stream ended early", { error });
      connection.end(farewell("trouble"));
    });
  }

  async #showRun(
    connection: SseConnection,
    cursor: RunCursor,
    look: EventLook,
    types: readonly string[] | undefined,
    alone: boolean,
  ): Promise<void> {
    try {
      for (;;) {
        await connection.room();
        const page = await cursor.next(connection.signal);
        if (page === undefined) return;
        for (const frame of this.#framesOf(page, look, types)) connection.send(frame);
        if (page.kind === "end" && alone) return connection.end();
      }
    } finally {
      cursor.close();
    }
  }

  #framesOf(page: FollowPage, look: EventLook, types: readonly string[] | undefined): SseFrame[] {
    switch (page.kind) {
      case "run":
        return [sseFrame("run", JSON.stringify(page.run))];
      case "events":
        return page.events
          .filter((e) => types === undefined || types.includes(e.record.eventType))
          .map((e) => this.#once(e, `${look.encoding} ${String(look.payloads)}`, () => eventFrame(page.runId, e, look)));
      case "moved":
        // Who is cut here comes back to the beginning of the next run.
        return [sseFrame("moved", JSON.stringify({ from: page.from, to: page.to }), placeText(page.to, 0))];
      case "end":
        return [sseFrame("end", JSON.stringify({ runId: page.runId, status: page.status }))];
    }
  }

  async #showChanges(connection: SseConnection, filter: Members, encoding: Encoding): Promise<void> {
    const { client } = this.#deps;
    const lease = hubOf(client.store, client.platform).changes(client.scope, filter);
    const left: (() => void)[] = [lease.leave];
    try {
      let late = false;
      let waiting: ChangeBatch[] = [];
      let wake = (): void => {};
      const changed = (batch: ChangeBatch): void => {
        if (connection.isFull) late = true;
        else waiting.push(batch);
        wake();
      };
      connection.signal.addEventListener("abort", () => wake(), { once: true });
      const begin = async (): Promise<void> => {
        [late, waiting] = [false, []];
        for (const leave of left.splice(1)) leave();
        const { now, leave } = await lease.reader.join(changed);
        left.push(leave);
        connection.send(sseFrame("reset", "{}"));
        if (now.length > 0) connection.send(this.#once(now, encoding, () => changeFrame(now, encoding)));
      };
      await begin();
      while (!connection.signal.aborted) {
        const batch = waiting.shift();
        if (batch !== undefined) connection.send(this.#once(batch, encoding, () => changeFrame(batch, encoding)));
        else if (late) {
          await connection.room();
          await begin();
        } else await new Promise<void>((resolve) => (wake = resolve));
      }
    } finally {
      for (const leave of left.toReversed()) leave();
    }
  }

  /** The bytes of something that many are sent, made once for each way it is shown. */
  #once(of: object, look: string, make: () => SseFrame): SseFrame {
    let frames = this.#frames.get(of);
    if (frames === undefined) this.#frames.set(of, (frames = new Map()));
    let frame = frames.get(look);
    if (frame === undefined) frames.set(look, (frame = make()));
    return frame;
  }
}

interface EventLook {
  readonly encoding: Encoding;
  readonly payloads: boolean;
}

const headers = {
  "content-type": "text/event-stream; charset=utf-8",
  "cache-control": "no-store, no-transform",
  "x-accel-buffering": "no",
  "x-content-type-options": "nosniff",
};

function eventFrame(runId: string, { runSeq, record }: SharedEvent, { encoding, payloads }: EventLook): SseFrame {
  const [shown] = payloads ? [record] : (hidePayloads("runs.events", { items: [record] }) as { items: unknown[] }).items;
  return sseFrame("event", encodeValue(shown, encoding), placeText(runId, runSeq));
}

function changeFilter(input: Members): Members {
  const { follow: _, ...filter } = input;
  return filter;
}

/** Each run is a frame of its own; a look at many is sent as one piece. */
function changeFrame(batch: ChangeBatch, encoding: Encoding): SseFrame {
  const bytes = batch.map((run) => sseFrame("run", encodeValue(run, encoding)));
  const all = new Uint8Array(bytes.reduce((n, b) => n + b.byteLength, 0));
  let at = 0;
  for (const b of bytes) {
    all.set(b, at);
    at += b.byteLength;
  }
  return all;
}

/** A place in a log, as a frame's id: a header can carry it, whatever the run's id is. */
function placeText(runId: string, seq: number): string {
  return `${encodeURIComponent(runId)}:${seq}`;
}

function lastEventPlace(header: string | null): { readonly run: string; readonly after: number } | undefined {
  const found = header === null || header === "" ? undefined : /^(.+):(\d{1,15})$/.exec(header);
  if (found === undefined) return undefined;
  try {
    if (found !== null) return { run: decodeURIComponent(found[1]!), after: Number(found[2]) };
  } catch {
    // said below
  }
  throw new PawlError("PAWL4011", "Last-Event-ID is not a place in a log: leave it out to begin at the start");
}
