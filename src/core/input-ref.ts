// Where the input of a queued step comes from. A dispatch names what it needs instead of copying it: a result with a thousand dependents
// is stored once, and the process that runs the step puts the input together. Pure. It works on encoded values (trees that JSON.parse made of
// the codec's text); the caller decodes what comes out. It must never change a tree that it was given.
import { PawlError } from "../errors/error.ts";

/** A JSON pointer (RFC 6901): "" is the whole value. */
export type InputPointer = string;

export type InputRef =
  /** The run's input. */
  | { readonly of: "run"; readonly at?: InputPointer }
  /** The result of the StepCompleted at this runSeq, or a part of it. */
  | { readonly of: "event"; readonly seq: number; readonly at?: InputPointer }
  /** An encoded value, as it is. */
  | { readonly of: "value"; readonly value: unknown }
  | { readonly of: "object"; readonly members: Readonly<Record<string, InputRef>> }
  | { readonly of: "list"; readonly items: readonly InputRef[] };

/** What references are resolved with: encoded trees; undefined where the code had undefined. */
export interface InputSource {
  readonly run: () => unknown;
  /** The result that the event at this runSeq recorded. */
  readonly event: (seq: number) => unknown;
}

/** The events whose results a reference needs, ascending; `run` says whether the run's input is needed too. */
export function eventsOfInput(ref: InputRef): { readonly seqs: readonly number[]; readonly run: boolean } {
  const seqs = new Set<number>();
  let run = false;
  const visit = (r: InputRef): void => {
    switch (r.of) {
      case "run":
        run = true;
        return;
      case "event":
        seqs.add(r.seq);
        return;
      case "value":
        return;
      case "object":
        for (const member of Object.values(r.members)) visit(member);
        return;
      case "list":
        for (const item of r.items) visit(item);
    }
  };
  visit(ref);
  return { seqs: [...seqs].sort((a, b) => a - b), run };
}

/** The encoded input. A pointer that leads nowhere gives undefined, as reading a member that is not there does. */
export function resolveInput(ref: InputRef, from: InputSource): unknown {
  switch (ref.of) {
    case "run":
      return partAt(from.run(), ref.at);
    case "event":
      return partAt(from.event(ref.seq), ref.at);
    case "value":
      return ref.value;
    case "object": {
      const made: [string, unknown][] = [];
      for (const [name, member] of Object.entries(ref.members)) {
        const value = resolveInput(member, from);
        if (value !== undefined) made.push([name, value]);
      }
      return Object.fromEntries(made); // defines own members, "__proto__" too
    }
    case "list":
      return ref.items.map((item) => resolveInput(item, from) ?? null);
  }
}

/** RFC 6901. */
export function partAt(value: unknown, at: InputPointer | undefined): unknown {
  if (at === undefined || at === "") return value;
  if (!at.startsWith("/")) throw new PawlError("PAWL3007", `${JSON.stringify(at)} is not a JSON pointer`);
  let part = value;
  for (const raw of at.slice(1).split("/")) {
    if (typeof part !== "object" || part === null) return undefined;
    const name = raw.replaceAll("~1", "/").replaceAll("~0", "~");
    if (Array.isArray(part)) part = /^(?:0|[1-9]\d*)$/.test(name) ? (part as unknown[])[Number(name)] : undefined;
    else part = Object.hasOwn(part, name) ? (part as Record<string, unknown>)[name] : undefined;
  }
  return part;
}
