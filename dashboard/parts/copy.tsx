// A command or an id with a button that copies it. What is copied is exactly what is meant, also where less of it is shown.
// It must never copy a secret unasked.
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { visibleText } from "./text.tsx";

/** `text` may be made when it is asked for, where it is large. */
export function CopyButton({ text, label = "Copy" }: { readonly text: string | (() => string); readonly label?: string }): JSX.Element {
  const [said, say] = useState("");
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(typeof text === "string" ? text : text());
      say("Copied");
    } catch {
      say("Not permitted");
    }
    setTimeout(() => say(""), 1_500);
  };
  return (
    <button type="button" class="small quiet-button" onClick={() => void copy()}>
      <span aria-live="polite">{said === "" ? label : said}</span>
    </button>
  );
}

export function Command({ text }: { readonly text: string }): JSX.Element {
  return (
    <div class="command">
      <code>{visibleText(text)}</code>
      <CopyButton text={text} />
    </div>
  );
}
