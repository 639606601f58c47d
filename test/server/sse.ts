// A reader of server-sent events on a plain socket, for tests: it can stop reading, and be cut at any moment. It reads frames as they are
// written, knows the last id, and leaves everything else to the test.
import { request, type ClientRequest, type IncomingMessage } from "node:http";

export interface Frame {
  readonly event: string;
  readonly id?: string;
  // Tests look into frames freely.
  // oxlint-disable-next-line no-explicit-any
  readonly data: any;
}

export interface SseReader {
  readonly status: number;
  readonly headers: IncomingMessage["headers"];
  /** The body of an answer that is no stream. */
  readonly text: () => Promise<string>;
  readonly frames: Frame[];
  readonly lastId: () => string | undefined;
  /** The next frame that fits, from those that were not taken yet; undefined: the stream ended before. */
  next(fits?: (f: Frame) => boolean): Promise<Frame | undefined>;
  /** Resolves when the server has ended it. */
  readonly ended: Promise<void>;
  pause(): void;
  resume(): void;
  cut(): void;
}

export function openSse(url: string, headers: Record<string, string> = {}): Promise<SseReader> {
  return new Promise((resolve, reject) => {
    const outgoing: ClientRequest = request(url, { headers: { accept: "text/event-stream", ...headers }, agent: false }, (response) => {
      const frames: Frame[] = [];
      let taken = 0;
      let rest = "";
      let lastId: string | undefined;
      let over = false;
      const waiting = new Set<() => void>();
      const wake = (): void => {
        for (const w of waiting) w();
      };
      response.setEncoding("utf8");
      response.on("data", (part: string) => {
        rest += part;
        for (let at = rest.indexOf("\n\n"); at >= 0; at = rest.indexOf("\n\n")) {
          const frame = parseFrame(rest.slice(0, at));
          rest = rest.slice(at + 2);
          if (frame === undefined) continue;
          if (frame.id !== undefined) lastId = frame.id;
          frames.push(frame);
        }
        wake();
      });
      const ended = new Promise<void>((done) => {
        response.on("close", () => {
          over = true;
          wake();
          done();
        });
      });
      response.on("error", () => {});
      resolve({
        status: response.statusCode ?? 0,
        headers: response.headers,
        text: async () => {
          await ended;
          return rest;
        },
        frames,
        lastId: () => lastId,
        ended,
        next: async (fits = () => true) => {
          for (;;) {
            while (taken < frames.length) {
              const frame = frames[taken++]!;
              if (fits(frame)) return frame;
            }
            if (over) return undefined;
            await new Promise<void>((done) => {
              const look = (): void => {
                waiting.delete(look);
                done();
              };
              waiting.add(look);
            });
          }
        },
        pause: () => response.pause(),
        resume: () => response.resume(),
        cut: () => outgoing.destroy(),
      });
    });
    outgoing.on("error", reject);
    outgoing.end();
  });
}

function parseFrame(text: string): Frame | undefined {
  let event = "message";
  let id: string | undefined;
  let data: string | undefined;
  for (const line of text.split("\n")) {
    const at = line.indexOf(": ");
    const [name, value] = [line.slice(0, at), line.slice(at + 2)];
    if (name === "event") event = value;
    else if (name === "id") id = value;
    else if (name === "data") data = value;
  }
  if (data === undefined) return undefined;
  return { event, data: JSON.parse(data), ...(id === undefined ? {} : { id }) };
}
