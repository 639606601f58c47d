// How often one author key was sent, by whom, and whether its sends can have taken effect more than once. Several operations may
// use one key (K24), and each can be right for itself while the receiver got several. Two operations count as one only if the
// receiver deduplicates: both KEYED, with the same arguments, for the same receiver, inside the window. It must never count fewer than the receiver may
// have (I7). Pure.
import { verdictBounds, countRunChain, isAdopted, isOneForReceiver, verdictFromBounds, type RunChainPart } from "./run-chain-count.ts";
import type { EffectVerdict } from "./proof.ts";

export interface KeyUse {
  readonly key: string;
  /** Never `once` when two sends under the key could both have taken effect. */
  readonly verdict: EffectVerdict;
  readonly sentence: string;
  /** How often it may have been sent, at most. */
  readonly sends: number;
  /** How many operations may have sent it: a step counts once over all runs of its run chain. */
  readonly operations: number;
  /** Several operations, and the receiver takes them for one. */
  readonly deduplicated: boolean;
  /** The runs that may have sent it. */
  readonly sentBy: readonly string[];
}

/** One operation: what the runs of its run chain say of it, oldest first, and what follows from that. */
export interface KeyOperation {
  readonly parts: readonly RunChainPart[];
  readonly verdict: EffectVerdict;
}

/** `sameArguments`: no operation used the key with others. */
export function countKey(key: string, sameArguments: boolean, operations: readonly KeyOperation[]): KeyUse {
  const all = operations.map((o) => ({ ...countRunChain(o.parts), ...o, story: o.parts.at(-1)!.history, from: o.parts[0]!.history }));
  const own = all.filter(hasSent);
  const sent = (own.length > 0 ? own : all.filter((o) => o.verdict !== "not-at-all")).sort((a, b) => a.from.firstAt - b.from.firstAt);
  let [least, most] = [0, 0];
  let one = sameArguments;
  for (const o of sent) {
    const [l, m] = verdictBounds[o.verdict];
    const first = sent[0]!;
    if (o === first) [least, most] = [l, m];
    else if (sameArguments && isOneForReceiver(first.from, o.story) && receiverOf(first.from) === receiverOf(o.story))
      [least, most] = [Math.max(least, l), Math.max(most, m)];
    else [least, most, one] = [least + l, most + m, false];
  }
  const open = all.some((o) => o.verdict === "in-doubt");
  const verdict = open ? "in-doubt" : verdictFromBounds(least, most);
  const sends = sent.reduce((n, o) => n + o.sends, 0);
  const sentBy = [...new Set(sent.flatMap((o) => o.senders))];
  return { key, verdict, sends, operations: sent.length, deduplicated: one && sent.length > 1, sentBy, sentence: sentenceOf() };

  function sentenceOf(): string {
    if (sent.length === 0) return `key ${key} was not sent`;
    const by = `by ${countText(sent.length, "operation")} of ${countText(sentBy.length, "run")}`;
    const times = `key ${key} was sent at most ${countText(sends, "time")}, ${by}`;
    if (sent.length === 1) return times;
    if (one) return `${times}; the receiver deduplicates them by this key`;
    const range =
      least === most ? countText(least, "time") : most === Infinity ? "any number of times" : `${least} to ${countText(most, "time")}`;
    return `${times}; nothing deduplicated these operations, and together they took effect ${range}`;
  }
}

/** Only took over what another operation sent: no send of its own. */
function hasSent(o: KeyOperation & { readonly sends: number }): boolean {
  return o.sends > 0 || (o.verdict !== "not-at-all" && !o.parts.every((p) => isAdopted(p.history)));
}

/** Where no receiver is declared, another name may be another receiver. */
function receiverOf(s: RunChainPart["history"]): string {
  return JSON.stringify([s.kind, s.receiver ?? null, s.receiver === undefined ? s.name : null]);
}

export function countText(n: number, what: string): string {
  return `${n} ${what}${n === 1 ? "" : "s"}`;
}
