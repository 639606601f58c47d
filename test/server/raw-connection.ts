// A connection that sends bytes as they are and reads HTTP answers: clients of Node's refuse to send most of what must be refused. When the server has
// closed it, the next request opens it again. An answer that never ends fails its request: nothing may hang.
import { connect, type Socket } from "node:net";

export interface RawAnswer {
  /** 0: the connection was closed without an answer. */
  readonly status: number;
  readonly text: string;
}

const patienceMs = 60_000;

export class RawConnection {
  readonly #port: number;
  #socket: Socket | undefined;

  constructor(port: number) {
    this.#port = port;
  }

  /** Sends the bytes, and returns the first answer. `cut`: the connection is closed once they are sent. */
  send(bytes: Buffer, cut = false): Promise<RawAnswer> {
    if (this.#socket?.writable === false || this.#socket?.readable === false) this.close(); // it was closed while nobody looked
    const socket = (this.#socket ??= connect(this.#port, "127.0.0.1"));
    return new Promise((resolve, reject) => {
      let got = Buffer.alloc(0);
      const done = (answer: RawAnswer, close: boolean): void => {
        clearTimeout(timer);
        socket.removeAllListeners();
        socket.on("error", () => {});
        if (close) {
          socket.destroy();
          this.#socket = undefined;
        }
        resolve(answer);
      };
      const timer = setTimeout(() => {
        this.close();
        reject(new Error(`no answer to ${JSON.stringify(bytes.toString("latin1").slice(0, 300))}`));
      }, patienceMs);
      const ended = (): void => {
        const answer = answerIn(got, true);
        done(answer ?? { status: 0, text: got.toString("utf8") }, true);
      };
      socket.on("data", (part: Buffer) => {
        got = Buffer.concat([got, part]);
        const answer = answerIn(got, false);
        // What follows belongs to bytes that the server took for a second request: the connection is not used again.
        if (answer !== undefined) done(answer, answer.close || answer.rest > 0 || answer.status >= 400);
      });
      socket.once("error", ended);
      socket.once("close", ended);
      socket.write(bytes, () => {
        if (cut) socket.destroy();
      });
    });
  }

  close(): void {
    this.#socket?.destroy();
    this.#socket = undefined;
  }
}

interface Parsed extends RawAnswer {
  readonly close: boolean;
  /** Bytes after the answer. */
  readonly rest: number;
}

function answerIn(bytes: Buffer, ended: boolean): Parsed | undefined {
  const headEnd = bytes.indexOf("\r\n\r\n");
  if (headEnd < 0) return undefined;
  const head = bytes.subarray(0, headEnd).toString("latin1");
  const status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(head)?.[1] ?? 0);
  const body = bytes.subarray(headEnd + 4);
  if (status === 100) return answerIn(body, ended);
  // A stream of events does not end by itself: its head is the answer, and the caller leaves.
  if (/^content-type: text\/event-stream/im.test(head)) return { status, text: "", close: true, rest: 0 };
  const length = Number(/^content-length: (\d+)/im.exec(head)?.[1] ?? -1);
  const chunked = /^transfer-encoding: chunked/im.test(head);
  const size = length >= 0 ? length : chunked ? chunkedSize(body) : status === 204 || status === 304 ? 0 : ended ? body.length : -1;
  // The answer to HEAD names a length and has no body: whoever asks for it closes the connection.
  if (size < 0 || (body.length < size && !ended)) return undefined;
  return { status, text: body.subarray(0, size).toString("utf8"), close: /^connection: close/im.test(head), rest: body.length - size };
}

function chunkedSize(body: Buffer): number {
  const end = body.indexOf("0\r\n\r\n");
  return end < 0 ? -1 : end + 5;
}
