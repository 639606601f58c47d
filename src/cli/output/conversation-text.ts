// The conversation of a run as lines: who said what, in the order of the log, and what the models used.
// Long texts are cut unless all of it was asked for.
import type { Conversation } from "../../events/conversation.ts";
import { clip, withoutControlChars } from "./format.ts";

const lineMax = 160;

export function conversationText({ totals, said }: Conversation, full: boolean): string {
  const { modelCalls, inputTokens, outputTokens, cost } = totals;
  const spent = `${modelCalls} model calls, ${inputTokens} tokens in, ${outputTokens} out${cost === undefined ? "" : `, cost ${cost}`}`;
  const lines = said.map(({ by, kind, text, calls = [], repeatOf }) => {
    const whole = [...(text === "" ? [] : [text]), ...calls.map((c) => `→ ${c}`)].join(" ");
    const shown = withoutControlChars(full ? whole : clip(whole, lineMax));
    return `  ${kind === "model" ? by : `[${by}]`}: ${shown}${repeatOf === undefined ? "" : ` (as in ${repeatOf})`}`;
  });
  return `\nconversation (${spent})\n${lines.join("\n")}\n`;
}
