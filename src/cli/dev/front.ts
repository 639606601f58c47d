// The port of `pawl dev`: every request goes to the child that serves now, and waits for one while there is none. Below /dev are the supervisor's own
// answers, for callers that the child recognises. A link's token buys one session. It must never send a request twice that may have changed something.
import type { NodeRequest, NodeResponse } from "../../platform/net/listen.ts";
import { askLocal, forward, readBody } from "../../platform/net/forward.ts";
import type { Platform } from "../../platform/platform.ts";
import { PawlError } from "../../errors/error.ts";
import { fromProblem, problemType, toProblem } from "../../api/problem.ts";
import { toPawlError } from "../output/report-error.ts";
import type { DevChild, DevSupervisor } from "./supervisor.ts";

/** What stands below /dev: a path's answer to the body that was sent. */
export type DevRoutes = Readonly<Record<string, (body: Readonly<Record<string, unknown>>) => Promise<unknown>>>;

const holdMs = 15_000;
const bodyBytesMax = 262_144;
/** Enough to change a run: what is below /dev kills processes and starts runs. */
const neededScope = "operate";
const shownHeaders = ["authorization", "cookie", "x-pawl-session", "host", "origin", "sec-fetch-site"] as const;

export class DevFront {
  readonly #supervisor: DevSupervisor;
  readonly #platform: Platform;
  /** Buys sessions; known to nobody else. Null in open mode. */
  readonly #token: string | null;
  readonly #links = new Set<string>();
  #routes: DevRoutes = {};

  constructor(supervisor: DevSupervisor, platform: Platform, token: string | null) {
    this.#supervisor = supervisor;
    this.#platform = platform;
    this.#token = token;
  }

  serve(routes: DevRoutes): void {
    this.#routes = routes;
  }

  /** The address of the dashboard, with a token that works once. */
  link(base: string): string {
    if (this.#token === null) return `${base}/`;
    const once = `once_${this.#platform.randomHex(24)}`;
    this.#links.add(once);
    return `${base}/#token=${once}`;
  }

  readonly node = (request: NodeRequest, response: NodeResponse): void => {
    this.#answer(request, response).catch((e: unknown) => {
      if (response.headersSent) response.destroy();
      else sendProblem(response, toPawlError(e));
    });
  };

  async #answer(request: NodeRequest, response: NodeResponse): Promise<void> {
    const path = (request.url ?? "/").split("?", 1)[0]!;
    if (path.startsWith("/dev/")) return this.#own(path, request, response);
    const swapped = path === "/session" && request.method === "POST" ? this.#swap(request) : {};
    for (;;) {
      const child = await this.#child();
      const mark = { "x-pawl-dev": `${child.version}${this.#supervisor.problem === null ? "" : "; failed"}` };
      const result = await forward(request, response, child.port, { request: swapped, response: mark });
      if (result === "answered" || response.destroyed) return;
      const repeatable = request.method === "GET" || request.method === "HEAD";
      if (!repeatable)
        throw new PawlError("PAWL4085", "the process that ran the code ended before it answered; send the request again with the same id");
      await this.#leave(child);
    }
  }

  /** A link's token becomes the token that it stands for, once. */
  #swap(request: NodeRequest): Record<string, string> {
    const once = /^bearer\s+(once_\w+)\s*$/i.exec(request.headers.authorization ?? "")?.[1];
    if (once === undefined || this.#token === null) return {};
    if (!this.#links.delete(once))
      throw new PawlError("PAWL4080", "this link was used before: type link in the terminal of pawl dev for a new one");
    return { authorization: `Bearer ${this.#token}` };
  }

  async #child(): Promise<DevChild> {
    const child = await this.#supervisor.whenServing(holdMs);
    if (child !== undefined) return child;
    const { problem } = this.#supervisor;
    throw new PawlError("PAWL4085", problem === null ? "no code is loaded yet" : `the code does not load: ${problem.message}`);
  }

  /** Until another child serves, or this one still does after all. */
  async #leave(child: DevChild): Promise<void> {
    await new Promise<void>((resolve) => void this.#platform.timer(50, resolve));
    if (this.#supervisor.serving?.pid === child.pid) return;
    await this.#supervisor.whenServing(holdMs);
  }

  async #own(path: string, request: NodeRequest, response: NodeResponse): Promise<void> {
    const route = Object.hasOwn(this.#routes, path) ? this.#routes[path] : undefined;
    if (route === undefined || request.method !== "POST")
      throw new PawlError("PAWL4093", `there is no ${request.method ?? ""} of ${path.slice(0, 200)}`);
    const text = await readBody(request, bodyBytesMax);
    await this.#permit(request);
    const body = JSON.stringify(await route(parsedBody(request, text)));
    response.writeHead(200, { "content-type": "application/json", "cache-control": "no-store", "x-content-type-options": "nosniff" });
    response.end(body);
  }

  /** The child knows who this is, and applies its rules against foreign pages. */
  async #permit(request: NodeRequest): Promise<void> {
    const headers: Record<string, string> = {};
    for (const name of shownHeaders) {
      const value = request.headers[name];
      if (typeof value === "string") headers[name] = value;
    }
    const { status, text } = await this.#ask("/v1/me", headers);
    const me = JSON.parse(text) as { readonly scopes?: readonly string[]; readonly detail?: string };
    if (status !== 200) throw fromProblem(me) ?? new PawlError("PAWL4080", "this caller is not known");
    if (me.scopes?.includes(neededScope) !== true) throw new PawlError("PAWL4081", `this needs the scope ${neededScope}`);
  }

  /** A read, repeated when the child died meanwhile. */
  async #ask(path: string, headers: Readonly<Record<string, string>>): Promise<{ readonly status: number; readonly text: string }> {
    for (;;) {
      const child = await this.#child();
      const answer = await askLocal(child.port, path, headers).catch(() => undefined);
      if (answer !== undefined) return answer;
      await this.#leave(child);
    }
  }
}

function parsedBody(request: NodeRequest, text: string | undefined): Readonly<Record<string, unknown>> {
  if (text === undefined) throw new PawlError("PAWL4011", "the body is too long");
  if (!/^application\/json\b/i.test(request.headers["content-type"] ?? ""))
    throw new PawlError("PAWL4011", "the body must be application/json");
  try {
    const value: unknown = JSON.parse(text === "" ? "{}" : text);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Readonly<Record<string, unknown>>;
  } catch {
    // said below
  }
  throw new PawlError("PAWL4011", "the body must be a JSON object");
}

function sendProblem(response: NodeResponse, e: PawlError): void {
  const problem = toProblem(e);
  response.writeHead(problem.status, { "content-type": problemType, "cache-control": "no-store", "retry-after": "1" });
  response.end(JSON.stringify(problem));
}
