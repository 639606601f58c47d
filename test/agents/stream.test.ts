// What an agent says, over HTTP and over kills: `pawl start` runs the agent and serves it, and is killed by SIGKILL in the middle of a reply. A reader of the graph's
// updates that comes back gets each of them once; a reader of the message gets it again from its start; tokens of the killed attempt are in no store.
import { mkdirSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { parseJsonEventStream, readUIMessageStream, type UIMessage, type UIMessageChunk } from "ai";
import { afterEach, expect, it, vi } from "vitest";
import { z } from "zod";
import { CliFolder, killCommands, type Running } from "../cli/pawl-process.ts";
import { openSse } from "../server/sse.ts";
import { compiledTree } from "../support/compiled-tree.ts";

vi.setConfig({ testTimeout: 120_000 }); // a crowded machine is slow, not wrong
afterEach(killCommands);

/** Asks for a tool, then says one word and waits for the file `go` before it says the rest. The word names its process. */
const agentFile = `import { existsSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { agent, tool } from "pawl/agents";
const input = { "~standard": { version: 1, vendor: "test", validate: (value) => ({ value }) } };
const look = tool({ name: "look", description: "Look", input }, () => "clear", { once: true });
const model = {
  id: "m",
  provider: "p",
  generate: async (r, s) => {
    if (!r.messages.some((m) => m.role === "assistant"))
      return { content: [{ type: "tool-call", id: "c1", tool: "look", input: {} }], finish: "tool-calls", usage: {} };
    s.stream({ type: "text", id: "1", delta: "canary-" + process.pid + " " });
    while (!existsSync("go")) await sleep(20);
    return { content: [{ type: "text", text: "canary-" + process.pid + " and the rest." }], finish: "stop", usage: {} };
  },
};
export const talker = agent({ name: "talker", model, tools: [look] });
`;

function place(): CliFolder {
  const folder = new CliFolder({ "talker.ts": agentFile });
  mkdirSync(join(folder.dir, "node_modules"));
  symlinkSync(compiledTree(), join(folder.dir, "node_modules/pawl"));
  return folder;
}

async function serve(
  folder: CliFolder,
  ...args: string[]
): Promise<{ readonly running: Running; readonly url: string; readonly pid: number }> {
  const running = folder.start(["start", ...args, "--tenant", "a/b/c", "--listen", "127.0.0.1:0", "--open", "--json"]);
  let out = "";
  running.child.stdout?.on("data", (d: Buffer) => (out += String(d)));
  await running.saw('"url"');
  return { running, url: (JSON.parse(out.split("\n")[0]!) as { url: string }).url, pid: running.child.pid! };
}

async function ask(
  url: string,
): Promise<{ readonly tokens: string | null; readonly chunks: AsyncGenerator<UIMessageChunk>; leave(): void }> {
  const gone = new AbortController();
  const { headers, body } = await fetch(`${url}/v1/runs/t/message`, { headers: { accept: "text/event-stream" }, signal: gone.signal });
  expect(headers.get("x-vercel-ai-ui-message-stream")).toBe("v1");
  async function* chunks(): AsyncGenerator<UIMessageChunk> {
    try {
      for await (const part of parseJsonEventStream({ stream: body!, schema: z.any() }))
        if (part.success) yield part.value as UIMessageChunk;
    } catch {} // it was cut
  }
  return { tokens: headers.get("pawl-tokens"), chunks: chunks(), leave: () => gone.abort() };
}

/** The text of a message until something of it is shown, or until its end. */
async function textOf(chunks: AsyncGenerator<UIMessageChunk>, until: "first" | "end"): Promise<string> {
  let text = "";
  for (let next = await chunks.next(); next.done !== true; next = await chunks.next()) {
    if (next.value.type === "text-delta") text += next.value.delta;
    if (text !== "" && until === "first") break;
  }
  return text;
}

const inStore = (folder: CliFolder, text: string): boolean =>
  readdirSync(join(folder.dir, ".pawl"), { withFileTypes: true }).some(
    (f) => f.isFile() && readFileSync(join(folder.dir, ".pawl", f.name)).includes(text),
  );

it("killed in the middle of a reply: each update once, the message from its start, no token of the dead attempt in the store", async () => {
  const folder = place();
  const first = await serve(folder, "./talker.ts");
  const started = await fetch(`${first.url}/v1/runs`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ workflow: "talker", input: { prompt: "x" }, id: "t" }),
  });
  expect(started.status).toBe(201);

  // Live and provisional: shown before it is recorded, also to a reader that was cut and comes back.
  const shown = await ask(first.url);
  expect(shown.tokens).toBe("live");
  expect(await textOf(shown.chunks, "first")).toBe(`canary-${first.pid} `);
  shown.leave();
  const back = await ask(first.url);
  expect(await textOf(back.chunks, "first")).toBe(`canary-${first.pid} `);
  expect(inStore(folder, `canary-${first.pid}`)).toBe(false);

  const updates = await openSse(`${first.url}/v1/runs/t/stream`);
  const seen: string[] = [];
  const item = (d: { mode: string; superstep?: number; node?: string }): string => `${d.mode} ${d.superstep} ${d.node}`;
  while (!seen.some((s) => s.endsWith(" tools"))) seen.push(item((await updates.next())!.data));
  first.running.child.kill("SIGKILL");
  await first.running.ended;

  // The next process: the reply begins again. Another one beside it has no code: it hears no tokens, and says so.
  const second = await serve(folder, "./talker.ts");
  const beside = await serve(folder);
  const again = await ask(second.url);
  expect(await textOf(again.chunks, "first")).toBe(`canary-${second.pid} `);
  const elsewhere = await ask(beside.url);
  expect(elsewhere.tokens).toBe("recorded");
  const more = await openSse(`${second.url}/v1/runs/t/stream`, { "last-event-id": updates.lastId()! });
  folder.write("go", "");
  const whole = `canary-${second.pid} and the rest.`;
  expect(await textOf(elsewhere.chunks, "end")).toBe(whole);
  for (let next = await more.next(); next !== undefined; next = await more.next()) seen.push(item(next.data));
  const nodes = seen.filter((s) => s.startsWith("updates "));
  expect(nodes.map((s) => s.split(" ")[2])).toEqual(["take", "model", "tools", "model"]);
  expect(new Set(nodes).size).toBe(nodes.length);
  expect(inStore(folder, `canary-${first.pid}`)).toBe(false);

  // The AI SDK's own reader, after the end.
  const { chunks } = await ask(beside.url);
  let message: UIMessage | undefined;
  for await (const m of readUIMessageStream({ stream: streamOf(chunks) })) message = m;
  expect(message?.parts.filter((p) => p.type === "text")).toMatchObject([{ text: whole, state: "done" }]);
  expect(message?.parts.map((p) => p.type)).toContain("tool-look");
  const answer = (await (await fetch(`${beside.url}/v1/runs/t/message`)).json()) as { items: { type: string }[] };
  expect(answer.items.at(-1)).toEqual({ type: "finish", finishReason: "stop" });
});

it("a reader of a message whose server stops gets an end that the AI SDK knows, and the next server has the message", async () => {
  const folder = place();
  const first = await serve(folder, "./talker.ts", "--drain-delay", "0s");
  await fetch(`${first.url}/v1/runs`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ workflow: "talker", input: { prompt: "x" }, id: "t" }),
  });
  const { chunks } = await ask(first.url);
  expect(await textOf(chunks, "first")).not.toBe("");
  const rest: UIMessageChunk[] = [];
  const read = (async () => {
    for await (const c of chunks) rest.push(c);
  })();
  folder.write("go", "");
  first.running.child.kill("SIGTERM");
  await read;
  expect(["abort", "finish"]).toContain(rest.at(-1)?.type);
  expect((await first.running.ended).code).toBe(0);
  const second = await serve(folder, "./talker.ts");
  expect(await textOf((await ask(second.url)).chunks, "end")).toMatch(/^canary-\d+ and the rest\.$/);
  expect((await fetch(`${second.url}/v1/runs/nobody/message`, { headers: { accept: "text/event-stream" } })).status).toBe(404);
});

function streamOf(chunks: AsyncGenerator<UIMessageChunk>): ReadableStream<UIMessageChunk> {
  return new ReadableStream({
    pull: async (c) => {
      const next = await chunks.next();
      if (next.done === true) c.close();
      else c.enqueue(next.value);
    },
  });
}
