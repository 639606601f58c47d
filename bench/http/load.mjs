// What drives a server under measure: requests over kept connections, one after the other on each, and readers of streams. It checks every
// answer, and counts nothing that failed.
import { request } from "node:http";
import { connect } from "node:net";

/** @typedef {{ port: number, path: string, body: (n: number) => string, headers?: Record<string, string> }} Target */

/**
 * A connection that is kept, with one request at a time. It speaks HTTP by hand: the client of Node's takes as long for a request as a server
 * does, and would be measured with it. @param {number} port
 */
async function connection(port) {
  const socket = connect({ port, host: "127.0.0.1", noDelay: true });
  /** @type {{ resolve: (answer: string) => void, reject: (e: Error) => void, path: string } | undefined} */
  let waiting;
  let received = "";
  socket.setEncoding("latin1"); // a character is a byte
  socket.on("data", (/** @type {string} */ part) => {
    received += part;
    const answer = wholeAnswer(received);
    if (answer === undefined || waiting === undefined) return;
    const { resolve, reject, path } = waiting;
    [received, waiting] = ["", undefined];
    if (answer.status === "200") resolve(answer.body);
    else reject(new Error(`${path} answered ${answer.status}: ${answer.body.slice(0, 300)}`));
  });
  const ended = (/** @type {Error | undefined} */ e) =>
    waiting?.reject(e ?? new Error(`the server closed a connection: ${received.slice(0, 300)}`));
  socket.on("error", ended);
  socket.on("close", () => ended(undefined));
  await new Promise((resolve, reject) => socket.once("connect", () => resolve(undefined)).once("error", reject));
  return {
    /** @param {string} text a whole request @param {string} path @returns {Promise<string>} */
    send: (text, path) =>
      new Promise((resolve, reject) => {
        waiting = { resolve, reject, path };
        socket.write(text);
      }),
    close: () => socket.destroy(),
  };
}

/** @param {Target} target @param {number} n */
function requestText({ port, path, body, headers = {} }, n) {
  const text = body(n);
  const more = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const fixed = `POST ${path} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\ncontent-type: application/json\r\n`;
  return `${fixed}${more.join("")}content-length: ${Buffer.byteLength(text)}\r\n\r\n${text}`;
}

/** Undefined: not all of it has arrived. @param {string} text */
function wholeAnswer(text) {
  const headEnd = text.indexOf("\r\n\r\n");
  if (headEnd < 0) return undefined;
  const status = text.slice(9, 12);
  const length = /\r\ncontent-length: *(\d+)/i.exec(text)?.[1];
  let rest = text.slice(headEnd + 4);
  if (length !== undefined) return rest.length < Number(length) ? undefined : { status, body: rest };
  let body = "";
  for (;;) {
    const lineEnd = rest.indexOf("\r\n");
    const size = lineEnd < 0 ? Number.NaN : Number.parseInt(rest, 16);
    if (Number.isNaN(size) || rest.length < lineEnd + size + 4) return undefined;
    if (size === 0) return { status, body };
    body += rest.slice(lineEnd + 2, lineEnd + 2 + size);
    rest = rest.slice(lineEnd + 2 + size + 2);
  }
}

let sent = 0;

/** Answers per second over so many connections. @param {Target} target @param {number} connections @param {number} ms */
export async function rateOf(target, connections, ms) {
  const open = await Promise.all(Array.from({ length: connections }, () => connection(target.port)));
  const from = performance.now();
  let done = 0;
  const lane = async (/** @type {(typeof open)[number]} */ { send }) => {
    while (performance.now() - from < ms) {
      await send(requestText(target, ++sent), target.path);
      done++;
    }
  };
  await Promise.all(open.map(lane));
  for (const one of open) one.close();
  return (done / (performance.now() - from)) * 1_000;
}

/** Milliseconds of each of so many answers, with a pause before each. @param {Target} target @param {number} times @param {number} gapMs */
export async function latenciesOf(target, times, gapMs) {
  const { send, close } = await connection(target.port);
  const took = [];
  for (let i = 0; i < times; i++) {
    await new Promise((resolve) => setTimeout(resolve, gapMs));
    const text = requestText(target, ++sent);
    const from = performance.now();
    await send(text, target.path);
    took.push(performance.now() - from);
  }
  close();
  return took;
}

/**
 * Opens streams. `ages` fills with how old events are when they arrive, in milliseconds since the store wrote them.
 * @param {number} port @param {readonly string[]} paths @param {number} perCaller
 */
export async function readers(port, paths, perCaller) {
  /** @type {number[]} */
  const ages = [];
  let events = 0;
  const open = await Promise.all(
    paths.map(
      (path, i) =>
        /** @type {Promise<() => void>} */ (
          new Promise((resolve, reject) => {
            const headers = { accept: "text/event-stream", "x-who": `reader-${Math.floor(i / perCaller)}` };
            const outgoing = request({ agent: false, port, host: "127.0.0.1", path, headers }, (response) => {
              if (response.statusCode !== 200) return reject(new Error(`${path} answered ${response.statusCode}`));
              response.setEncoding("utf8");
              response.on("data", (/** @type {string} */ part) => {
                const now = Date.now();
                for (const [, at] of part.matchAll(/"persistedAt":"([^"]+)"/g)) {
                  events++;
                  ages.push(now - Date.parse(at ?? ""));
                }
              });
              response.on("error", () => {});
              resolve(() => outgoing.destroy());
            });
            outgoing.on("error", reject);
            outgoing.end();
          })
        ),
    ),
  );
  return {
    ages,
    events: () => events,
    forget: () => {
      ages.length = 0;
      events = 0;
    },
    close: () => open.forEach((cut) => cut()),
  };
}
