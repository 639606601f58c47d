// Times and durations: how long ago for people, the exact moment on hover and for machines. Figures have one width, so that a ticking clock moves
// nothing beside it.
import type { JSX } from "preact";
import { durationText, momentText, nowMs, shortMomentText } from "../data/clock.ts";

export function Ago({ at }: { readonly at: string }): JSX.Element {
  const ms = nowMs.value - Date.parse(at);
  const text = Math.abs(ms) < 5_000 ? "now" : ms < 0 ? `in ${durationText(-ms)}` : `${durationText(ms)} ago`;
  return (
    <time class="num" dateTime={at} title={momentText(at)}>
      {text}
    </time>
  );
}

/** `short`: without the date where it was today, for lists. */
export function Moment({ at, short = false }: { readonly at: string; readonly short?: boolean }): JSX.Element {
  return (
    <time class="num" dateTime={at} title={at}>
      {short ? shortMomentText(at) : momentText(at)}
    </time>
  );
}

/** From one time to another; to now, where it has not ended. */
export function Took({ from, to }: { readonly from: string; readonly to?: string | undefined }): JSX.Element {
  const ms = (to === undefined ? nowMs.value : Date.parse(to)) - Date.parse(from);
  return <span class="num">{durationText(Math.max(0, ms))}</span>;
}
