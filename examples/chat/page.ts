// The page of the chat. Its script shows by hand the chunks that `useChat` of the AI SDK reads: text as it comes, tools by their name.
// It keeps the messages itself and sends all of them with each turn, as `useChat` does.
export const page = `<!doctype html>
<meta charset="utf-8" />
<title>Waiter</title>
<h1>Waiter</h1>
<ol id="said"></ol>
<form><input name="text" placeholder="Say something" autofocus autocomplete="off" /><button>Send</button></form>
<script type="module">
  const said = document.querySelector("#said");
  const chat = { id: crypto.randomUUID(), messages: [] };
  const line = (who) => said.appendChild(Object.assign(document.createElement("li"), { textContent: who + ": " }));

  document.querySelector("form").addEventListener("submit", async (e) => {
    e.preventDefault();
    const text = new FormData(e.target).get("text");
    e.target.reset();
    line("you").textContent += text;
    chat.messages.push({ role: "user", parts: [{ type: "text", text }] });
    const answer = await fetch("/chat", { method: "POST", body: JSON.stringify(chat) });
    const mine = line("waiter");
    let rest = "";
    for await (const piece of answer.body.pipeThrough(new TextDecoderStream())) {
      const events = (rest + piece).split("\\n\\n");
      rest = events.pop();
      for (const event of events) {
        if (!event.startsWith("data: {")) continue;
        const chunk = JSON.parse(event.slice(6));
        if (chunk.type === "text-delta") mine.textContent += chunk.delta;
        if (chunk.type === "tool-input-available") mine.textContent += " [" + chunk.toolName + "] ";
      }
    }
  });
</script>
`;
