// How a schema is tied to the TypeScript type that it checks: `exact<T>()(schema)` compiles only if the schema's output and T are the same
// type, member by member and at every depth (readonly aside). A member that is forgotten, one too many, or a word missing from an enumeration
// is a compile error. And the small schemas that the others share. zod is imported in this folder only.
import { z } from "zod";

/** T without readonly, and intersections made one object: what is left is compared. */
type Plain<T> = T extends string | number | boolean | bigint | null | undefined | Uint8Array
  ? T
  : T extends readonly (infer I)[]
    ? Plain<I>[]
    : T extends object
      ? { -readonly [K in keyof T]: Plain<T[K]> }
      : T;

type Same<A, B> = (<X>() => X extends A ? 1 : 2) extends <X>() => X extends B ? 1 : 2 ? true : false;

/** What the compiler shows where a schema and its type differ. */
interface Differs<Schema, Type> {
  readonly "the schema and its type differ": { readonly schema: Schema; readonly type: Type };
}

type Exactly<S extends z.ZodType, T> = Same<Plain<z.output<S>>, Plain<T>> extends true ? unknown : Differs<Plain<z.output<S>>, Plain<T>>;

/** The schema, typed as T; it compiles only if it is exactly of T. */
export const exact =
  <T>(): (<S extends z.ZodType>(schema: S & Exactly<S, T>) => z.ZodType<T>) =>
  (schema) =>
    schema as unknown as z.ZodType<never>;

type Fits<S extends z.ZodType, T> = [Plain<z.output<S>>] extends [Plain<T>]
  ? [Plain<T>] extends [Plain<z.output<S>>]
    ? unknown
    : Differs<z.output<S>, T>
  : Differs<z.output<S>, T>;

/** For types that TypeScript can write and a schema cannot, such as "these words or any other text": each fits where the other is asked for. */
export const fitting =
  <T>(): (<S extends z.ZodType>(schema: S & Fits<S, T>) => z.ZodType<T>) =>
  (schema) =>
    schema as unknown as z.ZodType<never>;

/** A member that may be absent, and is never undefined. */
export const maybe = <S extends z.ZodType>(schema: S): z.ZodExactOptional<S> => z.exactOptional(schema);

/** A time as RFC 3339. */
export const time: z.ZodISODateTime = z.iso.datetime({ offset: true });
/** Text that names something: an id, a name. The verbs check the rest. */
export const id: z.ZodString = z.string().min(1).max(1024);
export const count: z.ZodInt = z.int().min(0);
export const textList: z.ZodArray<z.ZodString> = z.array(z.string());
export const textMap: z.ZodRecord<z.ZodString, z.ZodString> = z.record(z.string(), z.string());
/** With so many members at most, where each of them costs its own look. */
export const atMost = <S extends z.ZodRecord>(members: number, schema: S): S =>
  schema.refine((o) => Object.keys(o as object).length <= members, { error: `must have at most ${members} members` });
/** Why somebody does something. */
export const reason: z.ZodString = z.string().min(1).max(2048);
export const requestId: z.ZodUUID = z.uuidv4();
/** Seconds to wait. */
export const waitSeconds: z.ZodNumber = z.number().min(0).max(30);
export const limit: z.ZodInt = z.int().min(1).max(1000);
export const cursor: z.ZodString = z.string().min(1).max(4096);

/** The members of a page of a list. */
export const pageQuery: { readonly limit: z.ZodExactOptional<z.ZodInt>; readonly cursor: z.ZodExactOptional<z.ZodString> } = {
  limit: maybe(limit),
  cursor: maybe(cursor),
};
