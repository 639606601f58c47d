// Text that somebody else wrote, shown as what it is: control characters become visible signs, directions do not leak into the page, and lone halves of
// characters are named. Always text nodes; it must never become markup.
import type { JSX } from "preact";

/** Controls, marks that turn directions, and halves of pairs: a reader must see that they are there. Lines and joined signs stay. */
const hidden = /(?![\t\n\r\u00ad\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u;
const hiddenAll = new RegExp(hidden.source, "gu");

export function visibleText(text: string): string {
  return hidden.test(text) ? text.replaceAll(hiddenAll, signOf) : text;
}

function signOf(c: string): string {
  const code = c.codePointAt(0)!;
  return code < 0x20 ? String.fromCodePoint(0x2400 + code) : `⟨U+${code.toString(16).toUpperCase().padStart(4, "0")}⟩`;
}

/** A step's id as people wrote its name: ids keep what stands between slashes percent-encoded. */
export function stepText(stepId: string): string {
  try {
    return stepId.includes("%") ? decodeURIComponent(stepId) : stepId;
  } catch {
    return stepId;
  }
}

/** Its first units, without the half of a character at the end. */
export function cutText(text: string, max: number): string {
  const code = text.charCodeAt(max - 1);
  return text.slice(0, code >= 0xd800 && code <= 0xdbff ? max - 1 : max);
}

/** Text of others inside a sentence of ours. */
export function Plain({ text, max }: { readonly text: string; readonly max?: number }): JSX.Element {
  const shown = visibleText(max !== undefined && text.length > max ? `${cutText(text, max)}…` : text);
  return <bdi>{shown}</bdi>;
}

/** An id: monospaced, and whole when it is copied. */
export function Id({ text, max = 80 }: { readonly text: string; readonly max?: number }): JSX.Element {
  const long = text.length > max;
  return (
    <bdi class="id" {...(long ? { title: visibleText(text).slice(0, 2_000) } : {})}>
      {visibleText(long ? `${cutText(text, max - 9)}…${lastOf(text)}` : text)}
    </bdi>
  );
}

function lastOf(text: string): string {
  const last = text.slice(-8);
  return /^[\udc00-\udfff]/.test(last) ? last.slice(1) : last;
}
