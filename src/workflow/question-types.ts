// Questions to a person as an author writes them, and what comes back.
// Types only; behaviour lives in question.ts and the engine.
import type { StandardSchemaV1 as S } from "@standard-schema/spec";
import type { Duration } from "../core/duration.ts";
import type { Json, Out } from "./types.ts";

/** A question to a person: what they read, what they may say, and who they are. */
export interface Question<X extends S> {
  /** An answer counts only if this schema accepts it. */
  schema: X;
  /** Everything the person needs in order to decide. */
  text: string;
  /** More of it, as data. */
  data?: Json;
  /** Who may answer, by name; a server compares it with the caller that it has authenticated. Absent: anybody who may answer questions. */
  from?: readonly string[];
  /** Who may not answer, such as the one who answered the question before. */
  notBy?: readonly string[];
  /** How long to wait. Then the answer is `undefined`. */
  timeout?: Duration;
}

/** What a person answered, and who it was. */
export interface Answer<T> {
  /** After the schema. */
  readonly value: T;
  readonly by: string;
  /** RFC 3339, by the store's clock. */
  readonly at: string;
  readonly submissionId: string;
}

/** `ctx.ask`, in the forms that say what comes back. */
export interface Ask {
  /**
   * Asks, and collects the answers of `votes` different people. With `timeout` it gives `undefined` when not all came in time.
   *
   * @example
   * const votes = await ctx.ask("release", { schema: z.boolean(), text: "Release 2.0?", votes: 3 });
   * const passed = votes.filter((v) => v.value).length >= 2;
   */
  <X extends S>(name: string, q: Question<X> & { votes: number; timeout: Duration }): Promise<readonly Answer<Out<X>>[] | undefined>;
  <X extends S>(name: string, q: Question<X> & { votes: number }): Promise<readonly Answer<Out<X>>[]>;
  /**
   * Asks a person, for at most `timeout`: `undefined` when nobody answered in time.
   *
   * @example
   * const answer = await ctx.ask("ship", { schema: z.boolean(), text: "May it be shipped?", timeout: "2d" });
   * const ships = answer?.value ?? false; // nobody answered: it is not shipped
   */
  <X extends S>(name: string, q: Question<X> & { timeout: Duration }): Promise<Answer<Out<X>> | undefined>;
  /**
   * Asks a person and waits for the answer, for days if need be: the run leaves memory meanwhile. The question is in `pawl decisions` and
   * `handle.questions()`. What the schema refuses leaves it open; the first answer that fits counts, and is recorded with who gave it.
   *
   * @example
   * const { value, by } = await ctx.ask("price", {
   *   schema: z.object({ cents: z.int() }),
   *   text: "What does order 17 cost?",
   *   from: ["ann", "bob"],
   * });
   */
  <X extends S>(name: string, q: Question<X>): Promise<Answer<Out<X>>>;
}
