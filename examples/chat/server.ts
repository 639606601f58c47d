// A chat over HTTP. A turn is a run: its id is made of the chat and of how many messages the guest has sent, so that a message that is sent again starts nothing, and a
// page that comes back gets the turn that is under way. The answer is the AI SDK's UI message stream, which `useChat` reads.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { Readable } from "node:stream";
import type { Engine } from "pawl";
import { uiMessageResponse } from "pawl/ai-sdk";
import { waiter } from "./agent.ts";
import { page } from "./page.ts";

/** What `useChat` sends: the whole chat, of which only the last message is new. */
interface Asked {
  readonly id: string;
  readonly messages: readonly { readonly role: string; readonly parts: readonly { readonly type: string; readonly text?: string }[] }[];
}

/** One turn: the conversation so far is the state of the turn before. */
async function take(app: Engine, { id, messages }: Asked): Promise<Response> {
  const said = messages.filter((m) => m.role === "user");
  const prompt =
    said
      .at(-1)
      ?.parts.map((p) => p.text ?? "")
      .join("") ?? "";
  const before = await app.get(waiter, `${id}-${said.length - 1}`);
  const history = before === undefined ? [] : (await before.result()).messages;
  const turn = await app.start(waiter, { messages: history, prompt }, { id: `${id}-${said.length}` });
  return uiMessageResponse(turn);
}

/** The turn of this number, for a page that was closed: all of it so far, then live. */
async function resume(app: Engine, id: string): Promise<Response> {
  const turn = await app.get(waiter, id);
  return turn === undefined ? new Response(null, { status: 204 }) : uiMessageResponse(turn);
}

export function chatServer(app: Engine): Server {
  const serve = async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    if (req.method === "POST" && req.url === "/chat") {
      const body: Buffer[] = [];
      for await (const part of req) body.push(part as Buffer);
      return answer(res, await take(app, JSON.parse(String(Buffer.concat(body))) as Asked));
    }
    const [, stream] = /^\/chat\/([\w-]+)\/stream$/.exec(req.url ?? "") ?? [];
    if (stream !== undefined) return answer(res, await resume(app, stream));
    res.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(page);
  };
  return createServer((req, res) => {
    serve(req, res).catch((e: unknown) => res.writeHead(400).end(String(e)));
  });
}

function answer(res: ServerResponse, { status, headers, body }: Response): void {
  res.writeHead(status, Object.fromEntries(headers));
  if (body === null) res.end();
  else Readable.fromWeb(body as never).pipe(res);
}
