// A recorded value, whole and as it is: big integers, bytes, dates, maps, sets, -0, text with controls. Large parts are drawn when somebody opens them, so that no
// payload stops the page. Text nodes only; what is copied is the codec's own text, which loses nothing.
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { encode } from "../../src/codec/value.ts";
import { CopyButton } from "./copy.tsx";
import { cutText, visibleText } from "./text.tsx";

const shownText = 1_000;
const shownItems = 50;
const shownBytes = 64;
const openDepth = 2;
const limits = { valueBytesMax: 64 * 1_048_576, depthMax: 512 };

export function Value({ of }: { readonly of: unknown }): JSX.Element {
  return (
    <div class="value">
      <Node of={of} depth={0} />
      <CopyButton text={() => copyText(of)} />
    </div>
  );
}

function copyText(value: unknown): string {
  try {
    return typeof value === "string" ? value : encode(value, limits, "the value");
  } catch {
    return String(value);
  }
}

function Node({ of: value, depth }: { readonly of: unknown; readonly depth: number }): JSX.Element {
  if (typeof value === "string") return <Text text={value} />;
  if (typeof value !== "object" || value === null) return <span class="v-atom">{atomText(value)}</span>;
  if (value instanceof Date) return <span class="v-atom">Date {Number.isNaN(value.getTime()) ? "invalid" : value.toISOString()}</span>;
  if (value instanceof Uint8Array) return <Bytes bytes={value} />;
  if (value instanceof Map) return <Many kind="Map" entries={[...value]} keys="values" depth={depth} />;
  if (value instanceof Set) return <Many kind="Set" entries={[...value].map((item, i) => [i, item])} keys="none" depth={depth} />;
  if (Array.isArray(value)) return <Many kind="" entries={Array.from(value, (item, i) => [i, item])} keys="index" depth={depth} />;
  return <Many kind={value instanceof Error ? value.name : ""} entries={entriesOf(value)} keys="names" depth={depth} />;
}

function entriesOf(value: object): [unknown, unknown][] {
  const own = Object.entries(value) as [unknown, unknown][];
  return value instanceof Error
    ? [["message", value.message], ...own, ...(value.cause === undefined ? [] : [["cause", value.cause] as [string, unknown]])]
    : own;
}

function atomText(value: unknown): string {
  if (typeof value === "bigint") return `${value}n`;
  return Object.is(value, -0) ? "-0" : String(value);
}

function Text({ text }: { readonly text: string }): JSX.Element {
  const [whole, show] = useState(false);
  const cut = !whole && text.length > shownText;
  return (
    <span class="v-text">
      <bdi>"{visibleText(cut ? cutText(text, shownText) : text)}"</bdi>
      {cut ? (
        <button type="button" class="small quiet-button" onClick={() => show(true)}>
          … all {text.length.toLocaleString("en")} characters
        </button>
      ) : null}
    </span>
  );
}

function Bytes({ bytes }: { readonly bytes: Uint8Array }): JSX.Element {
  const [shown, show] = useState(shownBytes);
  const hex = Array.from(bytes.subarray(0, shown), (b) => b.toString(16).padStart(2, "0")).join(" ");
  return (
    <span class="v-atom">
      {bytes.length.toLocaleString("en")} bytes {hex}
      {bytes.length > shown ? (
        <button type="button" class="small quiet-button" onClick={() => show(shown * 64)}>
          … {(bytes.length - shown).toLocaleString("en")} more
        </button>
      ) : null}
    </span>
  );
}

interface ManyProps {
  readonly kind: string;
  readonly entries: readonly (readonly [unknown, unknown])[];
  readonly keys: "names" | "values" | "index" | "none";
  readonly depth: number;
}

function Many({ kind, entries, keys, depth }: ManyProps): JSX.Element {
  const [open, setOpen] = useState(depth < openDepth && entries.length <= shownItems);
  const [shown, setShown] = useState(shownItems);
  const [before, after] = keys === "names" ? ["{", "}"] : ["[", "]"];
  if (entries.length === 0) return <span class="v-atom">{`${kind} ${before}${after}`.trim()}</span>;
  return (
    <div class="v-many">
      <button type="button" class="v-toggle" aria-expanded={open} onClick={() => setOpen(!open)}>
        {kind} {before}
        {entries.length.toLocaleString("en")}
        {after}
      </button>
      {open ? (
        <ul>
          {entries.slice(0, shown).map(([key, item], i) => (
            <li key={i}>
              {keys === "none" ? null : (
                <span class="v-key">
                  {keys === "values" ? <Node of={key} depth={depth + 1} /> : visibleText(String(key))}
                  {": "}
                </span>
              )}
              <Node of={item} depth={depth + 1} />
            </li>
          ))}
          {entries.length > shown ? (
            <li>
              <button type="button" class="small quiet-button" onClick={() => setShown(shown * 10)}>
                … {(entries.length - shown).toLocaleString("en")} more
              </button>
            </li>
          ) : null}
        </ul>
      ) : null}
    </div>
  );
}
