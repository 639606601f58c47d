// What goes to the server for one statement prepared under a name, written straight into the bytes that are sent: Bind,
// Execute, Sync. A batch is one parameter per column, as an array in the server's binary form: nothing to escape here,
// nothing to parse there. The bytes are used again for the next statement of the session, which is not sent before the
// answer to this one has come. A text that no database holds never passes, and neither does a number that would be changed.
import { Buffer } from "node:buffer";
import { isWellFormedText } from "../../../core/names.ts";
import { PawlError } from "../../../errors/error.ts";
import type { ColumnKind } from "../../sql/columns.ts";
import { ArrayParameter, type ColumnValues } from "./array-parameters.ts";

export type BindValue = string | null | Uint8Array | ColumnValues;

const oids: Readonly<Record<ColumnKind, number>> = { boolean: 16, bigint: 20, integer: 23, text: 25 };
const startBytes = 4_096;
/** More than that is let go with its statement: few are so large, and a session may be idle for long. */
const keptBytesMax = 2 * 1024 * 1024;
/** Four letters, where a length will stand. */
const gap = "....";
const high = 0x1_0000_0000;

export class BindMessage {
  #bytes: Buffer = Buffer.allocUnsafe(startBytes);
  #at = 0;

  /** The whole of it. Valid until the next one is written. */
  write(statement: string, values: readonly BindValue[], describe: boolean): Uint8Array {
    this.#at = 0;
    const bind = this.#begin("B");
    this.#name("");
    this.#name(statement);
    this.#short(values.length);
    for (const v of values) this.#short(v === null || typeof v === "string" ? 0 : 1);
    this.#short(values.length);
    if (!this.#plain(values)) for (const v of values) this.#value(v);
    this.#short(0); // all that comes back is text
    this.#end(bind);
    if (describe) {
      const d = this.#begin("D");
      this.#byte(0x50);
      this.#name("");
      this.#end(d);
    }
    const execute = this.#begin("E");
    this.#name("");
    this.#int(0); // all rows
    this.#end(execute);
    this.#end(this.#begin("S"));
    const written = this.#bytes.subarray(0, this.#at);
    if (this.#bytes.length > keptBytesMax) this.#bytes = Buffer.allocUnsafe(startBytes);
    return written;
  }

  #value(v: BindValue): void {
    if (v === null) return this.#int(-1);
    if (typeof v === "string") return this.#text(v);
    if (v instanceof ArrayParameter) return this.#array(v);
    this.#int(v.length);
    this.#room(v.length);
    this.#bytes.set(v as Uint8Array, this.#at);
    this.#at += v.length;
  }

  #array(cells: ColumnValues): void {
    const { kind, length } = cells;
    const from = this.#at;
    this.#int(0);
    this.#int(length === 0 ? 0 : 1); // dimensions
    this.#int(1); // there may be nulls
    this.#int(oids[kind]);
    if (length > 0) {
      this.#int(length);
      this.#int(1); // counted from
    }
    if (kind === "text") this.#texts(cells);
    else {
      for (let i = 0; i < length; i++) {
        const v = cells.get(i);
        if (v === null) this.#int(-1);
        else if (typeof v === "number") this.#number(v, kind);
        else {
          this.#int(1);
          this.#byte(v === true ? 1 : 0);
        }
      }
    }
    this.#setInt(from, this.#at - from - 4);
  }

  #texts(cells: ColumnValues): void {
    const texts: (string | null)[] = [];
    for (let i = 0; i < cells.length; i++) texts.push(cells.get(i) as string | null);
    if (!this.#plain(texts)) for (const t of texts) this.#value(t);
  }

  /**
   * Ids, hashes, types and numbers are written all at once, with gaps for their lengths: one by one it would be twice the work.
   * False, and nothing written: there is more among them than ASCII.
   */
  #plain(values: readonly BindValue[]): boolean {
    for (const v of values) if (v !== null && typeof v !== "string") return false;
    const texts = values as readonly (string | null)[];
    const all = texts.join(gap);
    this.#room(4 + bytesMax(all));
    // As many bytes as letters: it is ASCII, and each text has as many bytes as letters.
    if (this.#bytes.write(all, this.#at + 4) !== all.length || all.includes("\0")) return false;
    for (const t of texts) {
      this.#setInt(this.#at, t === null ? -1 : t.length);
      this.#at += 4 + (t === null ? 0 : t.length);
    }
    return true;
  }

  #number(n: number, kind: ColumnKind): void {
    if (!Number.isSafeInteger(n) || (kind === "integer" && n !== (n | 0))) {
      throw new PawlError("PAWL3018", `a number that the database would change: ${n}`);
    }
    if (kind === "integer") {
      this.#int(4);
      return this.#int(n);
    }
    this.#int(8);
    this.#int(Math.floor(n / high));
    this.#int(n);
  }

  /** Its length in bytes, and itself. */
  #text(s: string): void {
    if (!isWellFormedText(s)) throw new PawlError("PAWL3005", "text with U+0000 or a lone surrogate");
    this.#room(4 + bytesMax(s));
    const n = this.#bytes.write(s, this.#at + 4);
    this.#int(n);
    this.#at += n;
  }

  /** Names of statements are Pawl's own, and plain. */
  #name(s: string): void {
    this.#room(s.length + 1);
    this.#at += this.#bytes.write(s, this.#at, "latin1");
    this.#byte(0);
  }

  #begin(code: string): number {
    this.#byte(code.charCodeAt(0));
    this.#int(0);
    return this.#at - 4;
  }
  #end(from: number): void {
    this.#setInt(from, this.#at - from);
  }

  #byte(n: number): void {
    this.#room(1);
    this.#bytes[this.#at++] = n;
  }
  #short(n: number): void {
    this.#byte(n >> 8);
    this.#byte(n);
  }
  #int(n: number): void {
    this.#room(4);
    this.#setInt(this.#at, n);
    this.#at += 4;
  }
  #setInt(at: number, n: number): void {
    const bytes = this.#bytes;
    bytes[at] = n >> 24;
    bytes[at + 1] = n >> 16;
    bytes[at + 2] = n >> 8;
    bytes[at + 3] = n;
  }

  #room(more: number): void {
    if (this.#at + more <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafe(Math.max(this.#at + more, this.#bytes.length * 2));
    this.#bytes.copy(larger, 0, 0, this.#at);
    this.#bytes = larger;
  }
}

/** Counting costs as much as writing: done where three times the letters would be a waste of room. */
function bytesMax(s: string): number {
  return s.length < 65_536 ? 3 * s.length : Buffer.byteLength(s);
}
