// How often an effect can have taken place over a run chain: bounds, from what each run's log says of it, oldest run first. It
// adds sends that could both have taken effect, and takes two for one only where the receiver knows the key, or where verify or a
// person said in between that nothing had happened. It must never count fewer than the receiver may have (K19, I7). Pure.
import type { EffectHistory } from "./effect-history.ts";
import type { EffectVerdict } from "./proof.ts";

/** What one run of the run chain says of the effect. */
export interface RunChainPart {
  readonly runId: string;
  readonly history: EffectHistory;
  /** Of that run alone. */
  readonly verdict: EffectVerdict;
}
export interface RunChainCount {
  readonly verdict: EffectVerdict;
  /** How often its function may have been called, at most, in the line. */
  readonly sends: number;
  /** The runs that may have sent it. */
  readonly senders: readonly string[];
  /** Two sends that could both have taken effect. */
  readonly twice: boolean;
}

export const verdictBounds: Readonly<Record<EffectVerdict, readonly [least: number, most: number]>> = {
  "not-at-all": [0, 0],
  "at-most-once": [0, 1],
  once: [1, 1],
  "at-least-once": [1, Number.POSITIVE_INFINITY],
  "in-doubt": [0, Number.POSITIVE_INFINITY],
};

/** Sends of the run itself: a start that follows from the line is none, and what was taken over was sent before. */
export function ownSends({ history: s }: RunChainPart): number {
  if (s.awaitingApproval !== null || isAdopted(s)) return 0;
  return s.gated ? s.sends - 1 : s.sends;
}
export function isAdopted(s: EffectHistory): boolean {
  return s.end?.ok === true && s.end.via === "adopted";
}

/** `parts`: the runs of the run chain that called it, oldest first. */
export function countRunChain(parts: readonly RunChainPart[]): RunChainCount {
  let [least, most] = [0, 0];
  let sends = 0;
  let first: EffectHistory | null = null;
  const senders: string[] = [];
  for (const part of parts) {
    const { history: s } = part;
    const own = ownSends(part);
    const [l, m] = verdictBounds[part.verdict];
    if (own === 0) {
      if (s.end?.ok === true && !isAdopted(s)) [least, most] = [Math.max(least, 1), Math.max(most, 1)];
      else if (saidNotHappened(s) && least === 0) most = 0;
      continue;
    }
    sends += own;
    senders.push(part.runId);
    if (first !== null && isOneForReceiver(first, s)) [least, most] = [Math.max(least, l), Math.max(most, m)];
    else if (least === 0 && s.gated && (saidNotHappened(s) || s.class === "VERIFIED")) [least, most] = [l, m];
    else [least, most] = [least + l, most + m];
    first ??= s;
  }
  const open = parts.some((p) => p.verdict === "in-doubt");
  return { verdict: open ? "in-doubt" : verdictFromBounds(least, most), sends, senders, twice: most > 1 };
}

/** Verify or a person said, when nothing could arrive any more, that nothing had happened so far. */
function saidNotHappened(s: EffectHistory): boolean {
  return s.failures.some((f) => f.via !== undefined);
}

/** The receiver takes both for one: the same key, inside its window. */
export function isOneForReceiver(first: EffectHistory, s: EffectHistory): boolean {
  if (first.class !== "KEYED" || s.class !== "KEYED" || first.key !== s.key) return false;
  return s.lastAt < first.firstAt + Math.min(first.dedupMs ?? 0, s.dedupMs ?? 0);
}

export function verdictFromBounds(least: number, most: number): EffectVerdict {
  if (most === 0) return "not-at-all";
  if (most > 1) return "at-least-once";
  return least === 1 ? "once" : "at-most-once";
}
