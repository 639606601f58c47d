// A statement prepared under a name, spoken to the driver's connection without the driver's own form of a query, which asks
// anew each time what the columns are and builds what nobody reads: on the path of every step that was half of the client's
// work. The columns are asked for once per session. It is what the driver calls a submittable, as cursors are; it must
// answer exactly once, and never throw into the driver.
import type { SqlValue } from "../port.ts";

export type Row = Record<string, SqlValue>;

export interface Answer {
  readonly rows: Row[];
  /** Rows read or written, as the command counts them. */
  readonly changes: number;
  readonly command: string;
}

/** The driver's connection, as far as it is spoken to. */
export interface Wire {
  readonly stream: { cork(): void; uncork(): void };
  /** By name: what the server has parsed in this session. */
  readonly parsedStatements: Readonly<Record<string, string | undefined>>;
  parse(m: { name: string; text: string }): void;
  bind(m: { statement: string; values: readonly (string | null | Uint8Array)[] }): void;
  describe(m: { type: "P"; name: string }): void;
  execute(m: object): void;
  sync(): void;
}

export interface Column {
  readonly name: string;
  readonly parse: (text: string) => SqlValue;
}
/** The columns of each statement of one session, by the statement's name. */
export type Shapes = Map<string, readonly Column[]>;

interface Field {
  readonly name: string;
  readonly dataTypeID: number;
}

export class Ask {
  /** The driver keeps its account of prepared statements under these two. */
  readonly name: string;
  readonly text: string;
  readonly #values: readonly (string | null | Uint8Array)[];
  readonly #shapes: Shapes;
  readonly #parserOf: (oid: number) => (text: string) => SqlValue;
  readonly #done: (error: unknown, answer: Answer | undefined) => void;
  readonly #rows: Row[] = [];
  #columns: readonly Column[] | undefined;
  #complete = "";

  constructor(
    q: { readonly name: string; readonly text: string; readonly values: readonly (string | null | Uint8Array)[] },
    shapes: Shapes,
    parserOf: (oid: number) => (text: string) => SqlValue,
    done: (error: unknown, answer: Answer | undefined) => void,
  ) {
    this.name = q.name;
    this.text = q.text;
    this.#values = q.values;
    this.#shapes = shapes;
    this.#parserOf = parserOf;
    this.#done = done;
    this.#columns = shapes.get(q.name);
  }

  /** The driver sends nothing else before the answer has come. */
  submit(wire: Wire): null {
    wire.stream.cork(); // one packet
    try {
      if (wire.parsedStatements[this.name] === undefined) wire.parse({ name: this.name, text: this.text });
      wire.bind({ statement: this.name, values: this.#values });
      if (this.#columns === undefined) wire.describe({ type: "P", name: "" });
      wire.execute({});
      wire.sync();
    } finally {
      wire.stream.uncork();
    }
    return null;
  }

  handleRowDescription(m: { readonly fields: readonly Field[] }): void {
    this.#columns = m.fields.map((f) => ({ name: f.name, parse: this.#parserOf(f.dataTypeID) }));
    this.#shapes.set(this.name, this.#columns);
  }

  handleDataRow(m: { readonly fields: readonly (string | null)[] }): void {
    const row: Row = {};
    const columns = this.#columns ?? [];
    for (let i = 0; i < columns.length; i++) {
      const column = columns[i] as Column;
      const text = m.fields[i];
      row[column.name] = text === null || text === undefined ? null : column.parse(text);
    }
    this.#rows.push(row);
  }

  handleCommandComplete(m: { readonly text: string }): void {
    this.#complete = m.text;
  }

  handleReadyForQuery(): void {
    if (this.#columns === undefined) this.#shapes.set(this.name, []); // a statement without rows
    const [command = "", ...counts] = this.#complete.split(" ");
    this.#done(null, { rows: this.#rows, changes: Number(counts.at(-1) ?? 0), command });
  }

  handleError(e: unknown): void {
    this.#done(e, undefined);
  }

  /** An empty text has no rows. */
  handleEmptyQuery(): void {}
  /** All rows are asked for at once. */
  handlePortalSuspended(): void {}
}
