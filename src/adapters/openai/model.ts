// openaiCompatible: a model behind any server that speaks the chat-completions protocol. One request for one call, streamed. It never asks
// twice by itself: it says what a failure means (not sent, busy until, never, maybe later), and the step's policy decides. A key never
// stands in a message of its errors.
import { PawlError } from "../../errors/error.ts";
import { Fatal, NotSent } from "../../errors/step-errors.ts";
import { webPlatform } from "../../platform/web.ts";
import type { Model, ModelReply, ModelScope } from "../../tools/models.ts";
import { askAgainAfter, waitAskedMs } from "../retry-after.ts";
import { chatBody } from "./body.ts";
import { ReplyBuilder, type CompletionChunk } from "./chunks.ts";
import { eventData } from "./sse.ts";

export interface OpenAiCompatibleOpts {
  /** Where the protocol begins, such as `http://localhost:11434/v1`: `/chat/completions` is added. */
  readonly baseURL: string;
  readonly model: string;
  /** Asked before every call, so that a key can change. Sent as a bearer token. */
  readonly apiKey?: string | (() => string | Promise<string>);
  readonly headers?: Readonly<Record<string, string>>;
  /** Names the provider in the log; the host of `baseURL` unless given. */
  readonly provider?: string;
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>;
}

/**
 * A model behind any server that speaks the chat-completions protocol: OpenAI's, a gateway, or one on your own machine.
 *
 * @example
 * const model = openaiCompatible({ baseURL: "http://localhost:11434/v1", model: "qwen3" });
 */
export function openaiCompatible(o: OpenAiCompatibleOpts): Model {
  const url = endpointOf(o?.baseURL);
  if (typeof o.model !== "string" || o.model === "") throw new PawlError("PAWL5001", "openaiCompatible() needs the name of a model");
  const provider = o.provider ?? url.host;
  const send = o.fetch ?? ((to, init) => webPlatform().fetch(to, init));
  return {
    id: o.model,
    provider,
    async generate(request, s) {
      const body = JSON.stringify(chatBody(request, o.model));
      const key = typeof o.apiKey === "function" ? await o.apiKey() : o.apiKey;
      const headers = {
        "content-type": "application/json",
        accept: "text/event-stream, application/json",
        ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
        ...o.headers,
      };
      let response: Response;
      try {
        response = await send(url.href, { method: "POST", headers, body, signal: s.signal, redirect: "error" });
      } catch (e) {
        throw s.signal.aborted ? e : unreachable(e, url);
      }
      if (!response.ok) throw await refusal(response);
      return readReply(response, provider, s);
    },
  };
}

function endpointOf(baseURL: unknown): URL {
  try {
    const url = new URL(`${String(baseURL).replace(/\/+$/, "")}/chat/completions`);
    if (url.protocol === "http:" || url.protocol === "https:") return url;
  } catch {
    // said below
  }
  throw new PawlError("PAWL5001", 'openaiCompatible() needs a baseURL, such as "https://api.example.com/v1"');
}

async function readReply(response: Response, provider: string, s: ModelScope): Promise<ModelReply> {
  const built = new ReplyBuilder(provider, (part) => s.stream(part));
  if (!(response.headers.get("content-type") ?? "").startsWith("text/event-stream")) {
    built.add(checked(await response.text()));
    if (!built.isFinished) throw new Error("the model's server answered with JSON that is not a chat completion");
    return built.reply();
  }
  if (response.body === null) throw new Error("the model's server answered with an empty stream");
  for await (const data of eventData(response.body)) {
    if (data === "[DONE]") break;
    built.add(checked(data));
  }
  if (!built.isFinished) throw new Error("the model's stream was cut before its reply ended");
  return built.reply();
}

/** Servers report errors inside a stream that began well. */
function checked(text: string): CompletionChunk {
  let chunk: CompletionChunk;
  try {
    chunk = JSON.parse(text) as CompletionChunk;
  } catch {
    throw new Error(`the model's server sent something that is not JSON: ${excerpt(text)}`);
  }
  if (typeof chunk !== "object" || chunk === null)
    throw new Error(`the model's server sent something that is not a chunk: ${excerpt(text)}`);
  if (chunk.error !== undefined && chunk.error !== null) throw new Error(`the model's server reports: ${saidBy(chunk)}`);
  return chunk;
}

/** Asking again may help with these; with every other 4xx it does not. */
const passing = new Set([408, 409, 425, 429]);

async function refusal(response: Response): Promise<Error> {
  const text = await response.text().catch(() => "");
  let said = excerpt(text);
  try {
    said = saidBy(JSON.parse(text) as CompletionChunk);
  } catch {
    // no JSON: the text itself says it
  }
  const message = `the model's server answered ${response.status}${said === "" ? "" : `: ${said}`}`;
  if (response.status < 500 && !passing.has(response.status)) return new Fatal(message);
  const delayMs = waitAskedMs((name) => response.headers.get(name));
  return delayMs === undefined ? new Error(message) : askAgainAfter(delayMs, message);
}

function saidBy(body: CompletionChunk): string {
  const { error } = body;
  const { message } = (typeof error === "object" && error !== null ? error : { message: error }) as { message?: unknown };
  return excerpt(typeof message === "string" ? message : JSON.stringify(error ?? body));
}

function unreachable(e: unknown, url: URL): Error {
  const cause = (e as { cause?: unknown }).cause;
  const inner = (cause instanceof AggregateError ? cause.errors[0] : cause) as { code?: unknown } | undefined;
  const code = typeof inner?.code === "string" ? inner.code : undefined;
  const message = `${url.host} did not answer${code === undefined ? "" : `: ${code}`}`;
  const unsent = code === "ECONNREFUSED" || code === "ENOTFOUND" || code === "EAI_AGAIN";
  return unsent ? new NotSent(message, { cause: e }) : new Error(message, { cause: e });
}

function excerpt(text: string): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  return line.length <= 300 ? line : `${line.slice(0, 300)}…`;
}
