// What a verdict rests on, numbered as the proof numbers it: whoever doubts one of them knows what to check.
// The texts are the proof's own.
import type { JSX } from "preact";
import { Plain } from "../../parts/text.tsx";

export function Assumptions({ of }: { readonly of: readonly string[] }): JSX.Element | null {
  if (of.length === 0) return null;
  return (
    <>
      <h3>It assumes that</h3>
      <ol class="assumptions small">
        {of.map((text) => (
          <li key={text}>
            <Plain text={text} max={1_000} />
          </li>
        ))}
      </ol>
    </>
  );
}
