// Whether a plain request surely fits its schema, found out in one short loop over the members that it has. zod looks at every member that
// a schema knows, which is most of what a small request costs on a server that is idle. "No" means only: ask zod. It must never say yes where zod
// says no.
import type { z } from "zod";

type MemberCheck = (value: unknown) => boolean;

/** What is read of a schema's definition; each kind has some of it. */
interface Definition {
  readonly type: string;
  readonly checks?: readonly { readonly _zod: { readonly def: SizeCheck } }[];
  readonly format?: unknown;
  readonly coerce?: unknown;
  readonly innerType?: z.ZodType;
  readonly entries?: Readonly<Record<string, unknown>>;
  readonly shape?: Readonly<Record<string, z.ZodType>>;
  readonly catchall?: z.ZodType;
}

interface SizeCheck {
  readonly check: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly value?: number;
  readonly inclusive?: boolean;
}

const definitionOf = (schema: z.ZodType): Definition => schema._zod.def as unknown as Definition;

/** True: it surely fits, and is taken as it is. */
export function quickCheck(schema: z.ZodType): (given: unknown) => boolean {
  const { type, shape, catchall, checks } = definitionOf(schema);
  // Only objects that refuse unknown members: this loop does.
  if (type !== "object" || shape === undefined || catchall === undefined || definitionOf(catchall).type !== "never" || checks !== undefined)
    return () => false;
  const members = new Map<string, MemberCheck>();
  let needed = 0;
  for (const [name, member] of Object.entries(shape)) {
    const { type: kind, innerType } = definitionOf(member);
    if (kind !== "optional") needed++;
    const check = memberCheck(kind === "optional" && innerType !== undefined ? innerType : member);
    if (check !== undefined) members.set(name, kind === "optional" ? check : counted(check));
  }
  let seen = 0;
  function counted(check: MemberCheck): MemberCheck {
    return (value) => check(value) && ++seen > 0;
  }
  return (given) => {
    if (typeof given !== "object" || given === null || Object.getPrototypeOf(given) !== Object.prototype) return false;
    seen = 0;
    for (const name of Object.keys(given)) {
      const value = (given as Record<string, unknown>)[name];
      if (value === undefined || members.get(name)?.(value) !== true) return false;
    }
    return seen === needed;
  };
}

/** Undefined: a kind that only zod can judge. */
function memberCheck(schema: z.ZodType): MemberCheck | undefined {
  const { type, checks = [], format, coerce, entries } = definitionOf(schema);
  if (format !== undefined || coerce === true) return undefined;
  const sizes = checks.map((c) => sizeCheck(c._zod.def));
  if (sizes.includes(undefined)) return undefined;
  const fits = (n: number): boolean => sizes.every((size) => size!(n));
  switch (type) {
    case "unknown":
      return checks.length === 0 ? () => true : undefined;
    case "boolean":
      return checks.length === 0 ? (value) => typeof value === "boolean" : undefined;
    case "string":
      return (value) => typeof value === "string" && fits(value.length);
    case "number":
      return (value) => typeof value === "number" && Number.isFinite(value) && fits(value);
    case "enum": {
      const words = new Set<unknown>(Object.values(entries ?? {}));
      return checks.length === 0 ? (value) => typeof value === "string" && words.has(value) : undefined;
    }
    default:
      return undefined;
  }
}

function sizeCheck({ check, minimum, maximum, value, inclusive }: SizeCheck): ((n: number) => boolean) | undefined {
  if (check === "min_length" && minimum !== undefined) return (n) => n >= minimum;
  if (check === "max_length" && maximum !== undefined) return (n) => n <= maximum;
  if (value === undefined || typeof value !== "number" || inclusive !== true) return undefined;
  if (check === "greater_than") return (n) => n >= value;
  return check === "less_than" ? (n) => n <= value : undefined;
}
