// The transcripts of the worker protocol as data (contract/vectors/worker-protocol.json): what a scripted server does, and what it must see.
// Types, and the comparison of a part with a whole. No I/O.

export type Verb = "register" | "poll" | "beats" | "results" | "leave";

/** What is handed out; the rest of a claim is made from its name in the transcript. */
export interface HandedClaim {
  readonly task: string;
  readonly what?: "run" | "verify" | "undo";
  readonly input?: unknown;
  readonly cursor?: unknown;
  readonly carried?: unknown;
  readonly beginWithinMs?: number;
  /** Its handler makes a checkpoint first: no result may come before that is answered. */
  readonly savesFirst?: true;
}

export type TranscriptStep =
  /** With the next poll that has a free place. */
  | { readonly hand: Readonly<Record<string, HandedClaim>> }
  /** Hands a claim out once more, although the worker holds it. */
  | { readonly again: string }
  | { readonly cancel: string }
  | { readonly lost: string }
  /** The server forgets the worker: its next request is answered 404. */
  | { readonly forget: true }
  | { readonly signal: "SIGTERM" }
  /** The next `times` requests are not answered as they should be: no answer, a status, or another word for a result. */
  | { readonly fault: "poll" | "beats" | "results"; readonly do: "drop" | number | "known" | "late" | "lost"; readonly times: number }
  /** The next poll is answered after so long. */
  | { readonly slow: "poll"; readonly ms: number }
  /** No result of this claim comes during so many polls. */
  | { readonly quiet: string; readonly polls: number }
  | { readonly await: "register"; readonly times: number }
  | {
      readonly await: "poll";
      readonly holds?: readonly string[];
      readonly notHolds?: readonly string[];
      readonly free?: Readonly<Record<string, number>>;
    }
  | { readonly await: "result" | "beat"; readonly of: string; readonly is: Readonly<Record<string, unknown>> }
  | { readonly await: "results" | "signs"; readonly of: string; readonly times: number }
  | { readonly await: "leave" }
  | { readonly await: "exit" };

export interface Transcript {
  readonly name: string;
  readonly rule: number;
  readonly says: string;
  readonly script: readonly TranscriptStep[];
}

export interface WorkerProtocol {
  readonly version: 1;
  readonly queue: string;
  readonly concurrency: number;
  readonly handlers: Readonly<Record<string, string>>;
  readonly transcripts: readonly Transcript[];
}

/** Whether `whole` has every member of `part`, at any depth. */
export function includesPart(whole: unknown, part: unknown): boolean {
  if (typeof part !== "object" || part === null) return whole === part;
  if (typeof whole !== "object" || whole === null || Array.isArray(whole) !== Array.isArray(part)) return false;
  if (Array.isArray(part) && (whole as unknown[]).length !== part.length) return false;
  return Object.entries(part).every(([k, v]) => includesPart((whole as Record<string, unknown>)[k], v));
}
