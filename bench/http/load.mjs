// What drives a server under measure: requests over kept connections, one after the other on each, and readers of streams. It checks every
// answer, and counts nothing that failed.
import { Agent, request } from "node:http";

/** @typedef {{ port: number, path: string, body: (n: number) => string, headers?: Record<string, string> }} Target */

/** @param {Agent} agent @param {Target} t @param {number} n @returns {Promise<string>} */
function post(agent, { port, path, body, headers }, n) {
  const text = body(n);
  return new Promise((resolve, reject) => {
    const outgoing = request(
      {
        agent,
        port,
        host: "127.0.0.1",
        method: "POST",
        path,
        headers: { "content-type": "application/json", "content-length": Buffer.byteLength(text), ...headers },
      },
      (response) => {
        let answer = "";
        response.setEncoding("utf8");
        response.on("data", (part) => (answer += part));
        response.on("end", () => {
          if (response.statusCode === 200) resolve(answer);
          else reject(new Error(`${path} answered ${response.statusCode}: ${answer.slice(0, 300)}`));
        });
        response.on("error", reject);
      },
    );
    outgoing.on("error", reject);
    outgoing.end(text);
  });
}

let sent = 0;

/** Answers per second over so many connections. @param {Target} target @param {number} connections @param {number} ms */
export async function rateOf(target, connections, ms) {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const from = performance.now();
  let done = 0;
  const lane = async () => {
    while (performance.now() - from < ms) {
      await post(agent, target, ++sent);
      done++;
    }
  };
  await Promise.all(Array.from({ length: connections }, lane));
  agent.destroy();
  return (done / (performance.now() - from)) * 1_000;
}

/** Milliseconds of each of so many answers, with a pause before each. @param {Target} target @param {number} times @param {number} gapMs */
export async function latenciesOf(target, times, gapMs) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const took = [];
  for (let i = 0; i < times; i++) {
    await new Promise((resolve) => setTimeout(resolve, gapMs));
    const from = performance.now();
    await post(agent, target, ++sent);
    took.push(performance.now() - from);
  }
  agent.destroy();
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
