// One open stream to one caller: frames that wait for their reader, at most 256 KiB of them, and the ways it ends. A writer waits for
// room, so a slow reader slows down nobody else and costs no more memory; one that reads nothing for a whole heartbeat gets `overrun`, and
// its connection is closed. Frames are shared with other connections and never changed.

const queueBytesMax = 262_144;
/** As much as is handed over at once. */
const chunkBytesMax = 65_536;
const text = new TextEncoder();

export type SseFrame = Uint8Array<ArrayBuffer>;

/** A frame of this event; data is JSON text, which has no line breaks. */
export function sseFrame(event: string, data: string, id?: string): SseFrame {
  return text.encode(`${id === undefined ? "" : `id: ${id}\n`}event: ${event}\ndata: ${data}\n\n`);
}

const heartbeat: SseFrame = text.encode(": \n\n");
/** Who is cut comes back after a second. */
const opening: SseFrame = text.encode("retry: 1000\n\n");

/** A connection of Node's, as far as a stream needs it. */
export interface SseSink {
  /** False: it is full until it says "drain". */
  write(chunk: Uint8Array): boolean;
  end(): unknown;
  once(event: "drain" | "close", f: () => void): unknown;
  off(event: "drain", f: () => void): unknown;
}

export class SseConnection {
  readonly #closed = new AbortController();
  readonly #onClosed: () => void;
  #queue: SseFrame[] = [opening];
  #bytes = opening.byteLength;
  #ending = false;
  /** Something was handed over, or put in, since the last heartbeat. */
  #taken = false;
  #sent = false;
  #wantsMore: (() => void) | undefined;
  #wantsRoom: (() => void)[] = [];

  constructor(onClosed: () => void) {
    this.#onClosed = onClosed;
  }

  /** What it sends, for hosts that speak fetch. */
  toBody(): ReadableStream<SseFrame> {
    return new ReadableStream<SseFrame>(
      {
        pull: async (controller) => {
          const chunk = await this.#take();
          if (chunk !== undefined) return controller.enqueue(chunk);
          controller.close();
          this.#close();
        },
        cancel: () => this.#close(),
      },
      { highWaterMark: 0 },
    );
  }

  /** Sends over a connection of Node's, no faster than that takes it. */
  async writeTo(sink: SseSink): Promise<void> {
    let gone = false;
    let goOn = (): void => {};
    sink.once("close", () => {
      gone = true;
      this.#close();
      goOn();
    });
    for (let chunk = await this.#take(); chunk !== undefined && !gone; chunk = await this.#take()) {
      if (sink.write(chunk) || gone) continue;
      await new Promise<void>((resolve) => sink.once("drain", (goOn = resolve)));
      sink.off("drain", goOn);
    }
    if (!gone) sink.end();
    this.#close();
  }

  /** Aborted when nobody reads any more, or when it is to end. */
  get signal(): AbortSignal {
    return this.#closed.signal;
  }

  /** Resolves when there is room for more. */
  async room(): Promise<void> {
    if (this.#bytes < queueBytesMax || this.#ending) return;
    await new Promise<void>((resolve) => this.#wantsRoom.push(resolve));
  }
  get isFull(): boolean {
    return this.#bytes >= queueBytesMax;
  }

  send(frame: SseFrame): void {
    if (this.#ending) return;
    this.#sent = true;
    this.#queue.push(frame);
    this.#bytes += frame.byteLength;
    this.#wantsMore?.();
  }

  /** The last frame; what waits before it is still handed over. */
  end(last?: SseFrame): void {
    if (this.#ending) return;
    if (last !== undefined) this.send(last);
    this.#ending = true;
    this.#wantsMore?.();
    this.#freeRoom();
    if (!this.#closed.signal.aborted) this.#closed.abort();
  }

  /** Keeps the line open. False: its reader has taken nothing since the last one although there was much to take. */
  beat(): boolean {
    if (this.#ending) return true;
    const stalled = this.isFull && !this.#taken;
    if (!this.#sent && !stalled) this.send(heartbeat);
    this.#taken = this.#sent = false;
    return !stalled;
  }

  /** Ends it without a word: its reader has gone. */
  #close(): void {
    this.#ending = true;
    this.#queue = [];
    this.#bytes = 0;
    this.#wantsMore?.();
    this.#freeRoom();
    if (!this.#closed.signal.aborted) this.#closed.abort();
    this.#onClosed();
  }

  async #take(): Promise<SseFrame | undefined> {
    while (this.#queue.length === 0) {
      if (this.#ending) return undefined;
      await new Promise<void>((resolve) => (this.#wantsMore = resolve));
      this.#wantsMore = undefined;
    }
    this.#taken = true;
    let count = 0;
    let bytes = 0;
    for (const frame of this.#queue) {
      if (count > 0 && bytes + frame.byteLength > chunkBytesMax) break;
      bytes += frame.byteLength;
      count++;
    }
    const frames = this.#queue.splice(0, count);
    this.#bytes -= bytes;
    if (this.#bytes < queueBytesMax) this.#freeRoom();
    return frames.length === 1 ? frames[0] : joined(frames, bytes);
  }

  #freeRoom(): void {
    for (const resolve of this.#wantsRoom.splice(0)) resolve();
  }
}

function joined(frames: readonly SseFrame[], bytes: number): SseFrame {
  const all = new Uint8Array(bytes);
  let at = 0;
  for (const frame of frames) {
    all.set(frame, at);
    at += frame.byteLength;
  }
  return all;
}
