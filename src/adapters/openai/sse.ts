// Server-sent events as they come over the wire: bytes to the `data` of each event. Lines may end in any of three ways and be cut anywhere,
// also inside a character. An event that was begun and not ended is no event.

/** An event over this size is refused: nobody sends one on purpose. */
const eventCharsMax = 16 * 1024 * 1024;

export async function* eventData(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  let data: string[] = [];
  try {
    for (;;) {
      const { done, value } = await reader.read();
      rest += done ? decoder.decode() : decoder.decode(value, { stream: true });
      if (rest.length > eventCharsMax) throw new Error(`an event of the stream is longer than ${eventCharsMax} characters`);
      // A CR at the very end may be half of a CRLF: it waits for what follows.
      const whole = done ? rest : rest.slice(0, rest.endsWith("\r") ? -1 : undefined);
      const lines = whole.split(/\r\n|\n|\r/);
      rest = (lines.pop() ?? "") + rest.slice(whole.length);
      for (const line of lines) {
        if (line === "") {
          if (data.length > 0) yield data.join("\n");
          data = [];
        } else if (line.startsWith("data:")) data.push(line.slice(line.startsWith("data: ") ? 6 : 5));
      }
      if (done) return;
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}
