// The seam to Postgres: the package `pg`, an optional peer, imported when the first connection is opened and nowhere else.
// A connection here is one session; statements go one after the other. Values come back as plain data: integers as
// numbers (as bigint where they do not fit), bytes as bytes, everything else as the server writes it.
import { Buffer } from "node:buffer";
import { PawlError } from "../../../errors/error.ts";
import { checkText } from "../../check-text.ts";
import { driverMissing } from "../../sql/driver-missing.ts";
import { dynamicImport } from "../../../platform/modules.ts";
import type { SqlValue } from "../../transaction-store.ts";
import type { PgTxResult } from "../../sql/tx-client.ts";
import { canSendDirectly, type PgWire, PreparedQuery, type QueryResult, type Row, type SessionCache } from "./prepared-query.ts";
import { type ColumnValues, arrayLiteral, ArrayParameter } from "./array-parameters.ts";
import { BindMessage, type BindValue } from "./bind-message.ts";

export type Bind = string | number | bigint | boolean | null | Uint8Array | ColumnValues;

export interface Query {
  /** Prepared under this name once per connection; without one it is planned each time. */
  readonly name?: string;
  readonly text: string;
  readonly values?: readonly Bind[];
}

export interface ConnectOptions {
  readonly connectionString: string;
  /** Settings of the session, sent with the first packet; empty behind a pooler, which may refuse them. */
  readonly options: string;
  readonly connectMsMax: number;
  /** For tests: prepared statements go through the driver's own queries, as where its insides are not the ones that are known. */
  readonly plainQueries?: boolean;
}

export interface Connection {
  /** The process that serves this session, as it introduced itself. Behind a pooler it is not the one that answers. */
  readonly pid: number;
  /** The session is gone, or can no longer be trusted. */
  readonly broken: boolean;
  /** The driver's client, for code that uses it directly. */
  readonly raw: RawClient;
  query(q: Query): Promise<QueryResult>;
  /** A statement without parameters, or several, in the simple protocol. */
  exec(text: string): Promise<QueryResult>;
  listen(hear: (channel: string, payload: string) => void): void;
  onLost(tell: () => void): void;
  /** While somebody holds it, the connection keeps the process alive; an idle one does not. The caller that opened it holds it. */
  keepAlive(held: boolean): void;
  end(): Promise<void>;
  /** Cuts the connection at once, whatever is in progress. */
  destroy(): void;
}

/** As much of pg's client as a user's statements need, and pg's own parsers. */
export interface RawClient {
  query(config: object): Promise<PgTxResult>;
  escapeLiteral(text: string): string;
  escapeIdentifier(text: string): string;
  readonly types: unknown;
}

interface PgResult {
  readonly rows: Row[];
  readonly rowCount: number | null;
  readonly command: string | null;
}

interface PgClient {
  readonly processID: number;
  readonly connection: PgWire & { readonly stream: { destroy(): void } };
  connect(): Promise<unknown>;
  query(q: { name?: string; text: string; values?: unknown[] }): Promise<PgResult | PgResult[]>;
  query(q: PreparedQuery): unknown;
  escapeLiteral(text: string): string;
  escapeIdentifier(text: string): string;
  on(event: string, fn: (x: { channel: string; payload?: string }) => void): unknown;
  ref(): void;
  unref(): void;
  end(): Promise<void>;
}

interface Pg {
  readonly Client: new (config: object) => PgClient;
  readonly types: unknown;
}

const oids = { bool: 16, bytea: 17, int8: 20, int2: 21, int4: 23, oid: 26, float4: 700, float8: 701 } as const;

function parserOf(oid: number): (text: string) => SqlValue {
  switch (oid) {
    case oids.bool:
      return (t) => t === "t";
    case oids.bytea:
      return (t) => new Uint8Array(Buffer.from(t.slice(2), "hex"));
    case oids.int8:
      return (t) => (Number.isSafeInteger(Number(t)) ? Number(t) : BigInt(t));
    case oids.int2:
    case oids.int4:
    case oids.oid:
    case oids.float4:
    case oids.float8:
      return Number;
    default:
      return (t) => t;
  }
}

/** How values come back, also on a client that somebody else made. */
export const plainTypeParsers: { readonly getTypeParser: (oid: number) => (text: string) => SqlValue } = { getTypeParser: parserOf };

let driver: Promise<Pg> | undefined;

async function load(): Promise<Pg> {
  try {
    const module = (await dynamicImport("pg")) as { default?: Pg } & Pg;
    return module.default ?? module;
  } catch (e) {
    driver = undefined;
    throw driverMissing("Postgres", ["pg"], e);
  }
}

export async function openConnection(o: ConnectOptions): Promise<Connection> {
  const { Client, types } = await (driver ??= load());
  const client = new Client({
    connectionString: o.connectionString,
    ...(o.options === "" ? {} : { options: o.options }),
    connectionTimeoutMillis: o.connectMsMax,
    keepAlive: true,
    fallback_application_name: "pawl",
    types: plainTypeParsers,
  });
  let broken = false;
  let holders = 1;
  const lost: (() => void)[] = [];
  const leave = (): void => {
    if (broken) return;
    broken = true;
    for (const tell of lost) tell();
  };
  // Without a listener an error of an idle session would end the process.
  client.on("error", leave);
  client.on("end", leave);
  await client.connect();
  const direct = o.plainQueries !== true && canSendDirectly(client.connection);
  const shared: SessionCache = { columnsByName: new Map(), message: new BindMessage() };
  const ask = (name: string, text: string, values: readonly Bind[]): Promise<QueryResult> =>
    new Promise((resolve, reject) => {
      const settle = (e: unknown, answer: QueryResult | undefined): void =>
        answer === undefined ? reject(e instanceof Error ? e : new Error(String(e))) : resolve(answer);
      client.query(new PreparedQuery({ name, text, values: values.map(sendable) }, shared, parserOf, settle));
    });
  const run = async (text: string, values?: readonly Bind[], name?: string): Promise<QueryResult> => {
    const named = name === undefined ? {} : { name };
    // A step's texts are looked at where they are written out (bind-message.ts), and nowhere before: so here as well.
    if (name !== undefined) for (const v of values ?? []) if (typeof v === "string") checkText("statement", v);
    const answer = await client.query(values === undefined ? { text } : { ...named, text, values: values.map(bindable) });
    const last = Array.isArray(answer) ? answer.at(-1) : answer;
    return { rows: last?.rows ?? [], changes: last?.rowCount ?? 0, command: last?.command ?? "" };
  };
  return {
    pid: client.processID,
    raw: {
      query: (config) => client.query(config as { text: string }) as unknown as Promise<PgTxResult>,
      escapeLiteral: (text) => client.escapeLiteral(text),
      escapeIdentifier: (text) => client.escapeIdentifier(text),
      types,
    },
    get broken(): boolean {
      return broken;
    },
    query: (q) => (q.name === undefined || !direct ? run(q.text, q.values ?? [], q.name) : ask(q.name, q.text, q.values ?? [])),
    exec: (text) => run(text),
    listen(hear): void {
      client.on("notification", (n) => hear(n.channel, n.payload ?? ""));
    },
    onLost(tell): void {
      if (broken) tell();
      else lost.push(tell);
    },
    keepAlive(held): void {
      holders += held ? 1 : -1;
      if (holders > 0) client.ref();
      else client.unref();
    },
    async end(): Promise<void> {
      leave();
      client.ref(); // the farewell is awaited
      await client.end();
    },
    destroy(): void {
      client.connection.stream.destroy();
      leave();
    },
  };
}

/**
 * A parameter as text for the server, which knows its type. A boolean goes as 1 or 0: Postgres reads both as booleans and
 * as numbers, so that the same statement runs on every store. Objects are refused, as the driver would guess at them.
 */
export function bindable(value: unknown): string | null | Uint8Array {
  if (typeof value === "string") return value;
  if (value === undefined || value === null) return null;
  if (typeof value === "boolean") return value ? "1" : "0";
  if (typeof value === "bigint" || typeof value === "number") return String(value);
  if (value instanceof ArrayParameter) return arrayLiteral(value);
  if (value instanceof Uint8Array) return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  throw new PawlError("PAWL4011", "a SQL parameter must be text, a number, a bigint, a boolean, null or bytes");
}

/** As a statement prepared under a name takes it: columns of many rows as they are. */
function sendable(value: Bind): BindValue {
  return value instanceof ArrayParameter ? value : bindable(value);
}

export type { QueryResult, Row } from "./prepared-query.ts";
