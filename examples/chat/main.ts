// Two turns of a chat over HTTP, read with the AI SDK's own client. Run it twice: the second time the kitchen hears nothing, because both turns are recorded.
// `CHAT_PORT=8080` keeps the server open for a browser.
import type { AddressInfo } from "node:net";
import { DefaultChatTransport, readUIMessageStream, type UIMessage } from "ai";
import { engine } from "pawl";
import { waiter } from "./agent.ts";
import { chatServer } from "./server.ts";

const app = await engine({ workflows: [waiter] });
const server = chatServer(app);
await new Promise<void>((up) => server.listen(Number(process.env["CHAT_PORT"] ?? 0), "127.0.0.1", up));
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

if (process.env["CHAT_PORT"] !== undefined) console.log(`open ${url}`);
else {
  const transport = new DefaultChatTransport<UIMessage>({ api: `${url}/chat` });
  const messages: UIMessage[] = [];
  for (const text of ["What do you have?", "A funghi, please."]) {
    console.log(`guest: ${text}`);
    messages.push({ id: `guest-${messages.length}`, role: "user", parts: [{ type: "text", text }] });
    const stream = await transport.sendMessages({
      chatId: "table-7",
      messages,
      trigger: "submit-message",
      messageId: undefined,
      abortSignal: undefined,
    });
    let reply: UIMessage | undefined;
    for await (const soFar of readUIMessageStream({ stream })) reply = soFar;
    messages.push(reply!);
    for (const part of reply!.parts) {
      if (part.type === "text") console.log(`waiter: ${part.text}`);
      else if (part.type.startsWith("tool-") || part.type === "dynamic-tool") console.log(`waiter uses ${toolOf(part)}`);
    }
  }
  server.close();
  server.closeAllConnections();
  await app.stop();
}

function toolOf(part: { readonly type: string; readonly toolName?: string; readonly output?: unknown }): string {
  return `${part.toolName ?? part.type.slice(5)}: ${JSON.stringify(part.output)}`;
}
