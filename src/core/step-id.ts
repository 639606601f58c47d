// The identity of a step (K17): scope, name and occurrence as one text that is the same on every replay. Guards that two
// different (scope, name, occurrence) never share a stepId: '/', '~' and '|' cannot come out of a component, so they are
// free to mean something. It must never depend on time, on an attempt or on what a step returned.
import { PawlError } from "../errors/error.ts";

/** Lower-case hex SHA-256; passed in, since core imports nothing that touches the machine. */
export type Sha256 = (text: string) => string;

const componentBytesMax = 200;
const verbatim = /^[A-Za-z0-9._-]{1,200}$/;
/** A text of this shape is hashed like a long one, so that no author can write the component of another's long name. */
const hashedShape = /^sha256-[0-9a-f]{64}$/;
const loneSurrogate = /\p{Surrogate}/u;

/** One component: percent-encoded UTF-8 except A–Z a–z 0–9 . _ -; empty or over 200 bytes becomes `sha256-…`. */
export function stepComponent(text: string, sha256: Sha256): string {
  if (verbatim.test(text) && !hashedShape.test(text)) return text;
  if (loneSurrogate.test(text)) throw new PawlError("PAWL1001", "a step's name must be well-formed UTF-16");
  const encoded = encodeURIComponent(text).replace(/[!~*'()]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);
  const keep = encoded.length > 0 && encoded.length <= componentBytesMax && !hashedShape.test(encoded);
  return keep ? encoded : `sha256-${sha256(text)}`;
}

/** Gives out the stepIds of one run, in the order of its calls. A new one is made for every replay. */
export class StepNames {
  readonly #sha256: Sha256;
  readonly #seen = new Map<string, number>();

  constructor(sha256: Sha256) {
    this.#sha256 = sha256;
  }

  /** `scope` is "" for the run itself, else the stepId of what the call is inside. */
  next(scope: string, name: string): string {
    const component = stepComponent(name, this.#sha256);
    const base = scope === "" ? component : `${scope}/${component}`;
    const occurrence = (this.#seen.get(base) ?? 0) + 1;
    this.#seen.set(base, occurrence);
    return occurrence === 1 ? base : `${base}~${occurrence}`;
  }

  /** Nothing will be called under `scope` again. */
  forget(scope: string): void {
    for (const base of this.#seen.keys()) if (base.startsWith(`${scope}/`)) this.#seen.delete(base);
  }
}

/** The step that undoes `stepId`; no name can produce a component that begins with '~'. */
export function compensationId(stepId: string): string {
  return `${stepId}/~compensate`;
}
