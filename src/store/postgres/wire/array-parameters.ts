// Array parameters as the server reads them. A batch is one parameter per column whatever its size. As text they are
// literals: writing them here is several times faster than the driver's own conversion. A column of the batch that is on the
// path of every step goes in binary form where the session is Pawl's own (packet.ts), and as such a literal elsewhere.
import { isWellFormedText } from "../../../core/names.ts";
import { PawlError } from "../../../errors/error.ts";
import type { Cell, ColumnKind } from "../../sql/columns.ts";

/** One column of many rows. */
export interface ColumnValues {
  readonly kind: ColumnKind;
  readonly length: number;
  get(i: number): Cell;
}

/** A column that is read from its rows when it is written, and never copied before. */
export class ArrayParameter<T> implements ColumnValues {
  readonly kind: ColumnKind;
  readonly length: number;
  readonly #of: (x: T) => Cell;
  readonly #rows: readonly T[];

  constructor(kind: ColumnKind, of: (x: T) => Cell, rows: readonly T[]) {
    this.kind = kind;
    this.length = rows.length;
    this.#of = of;
    this.#rows = rows;
  }
  get(i: number): Cell {
    return this.#of(this.#rows[i] as T);
  }
}

export function arrayLiteral(cells: ColumnValues): string {
  const values = Array.from({ length: cells.length }, (_, i) => cells.get(i));
  if (cells.kind === "boolean") return booleanArray(values as (boolean | null)[]);
  if (cells.kind !== "text") return numberArray(values as (number | null)[]);
  const texts = values as (string | null)[];
  if (!texts.every((t) => t === null || isWellFormedText(t))) throw new PawlError("PAWL3005", "text with U+0000 or a lone surrogate");
  return textArray(texts);
}

export function textArray(values: readonly (string | null)[]): string {
  if (values.length === 0) return "{}";
  // Ids, hashes and types need no escape: joined at once, they leave no pieces for the collector.
  if (values.every(needsNoEscape)) return `{"${values.join('","')}"}`;
  return `{${values.map((v) => (v === null ? "NULL" : `"${v.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`)).join(",")}}`;
}

function needsNoEscape(v: string | null): boolean {
  return v !== null && !v.includes('"') && !v.includes("\\");
}

export function numberArray(values: readonly (number | null)[]): string {
  return `{${values.map((v) => v ?? "NULL").join(",")}}`;
}

export function booleanArray(values: readonly (boolean | null)[]): string {
  return `{${values.map((v) => (v === null ? "NULL" : v ? "t" : "f")).join(",")}}`;
}
