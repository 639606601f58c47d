// Runs a schema's history: an ordered list, forward only. A database gives its statements, its lock and how a statement is
// sent; what is pending, in which order it runs and what is recorded is decided here, once. The format is recorded last, so
// that a process which is killed on the way leaves work for the next one, never a store that claims more than it has.
import type { Platform } from "../../platform/platform.ts";
import { admissionOf, checkAdmitted, type FormatStep } from "./formats.ts";

export interface Migration extends FormatStep {
  /** `{p}` stands for what the names of tables begin with. A published statement is never edited. */
  readonly statements: readonly string[];
}

/** One database with tables of Pawl, or without them yet. */
export interface MigrationTarget {
  readonly migrations: readonly Migration[];
  /** What the names of tables begin with: a prefix, or a schema and its dot. */
  readonly prefix: string;
  literal(text: string): string;
  hasMeta(): Promise<boolean>;
  query(text: string): Promise<readonly Readonly<Record<string, unknown>>[]>;
  /** One statement of a migration. Where such a statement commits by itself, one that was run before does no harm. */
  run(statement: string): Promise<unknown>;
  /** One process at a time; one transaction, where the database can define tables in one. */
  locked(body: () => Promise<void>): Promise<void>;
  /** All of it or nothing, where `locked` alone is no transaction. */
  together?(body: () => Promise<void>): Promise<void>;
}

export interface MigrationPlan {
  /** 0: no tables of Pawl yet. */
  readonly from: number;
  readonly to: number;
  readonly statements: readonly string[];
}

/** Statements as they are sent, for one prefix. */
export function statementsFor(list: readonly Migration[], prefix: string, after = 0): string[] {
  return list.filter((m) => m.format > after).flatMap((m) => m.statements.map((s) => s.replaceAll("{p}", prefix)));
}

/** The format found; 0 = a database without Pawl's tables, or one whose making was cut short. */
export async function formatOf(t: MigrationTarget): Promise<number> {
  if (!(await t.hasMeta())) return 0;
  const [meta] = await t.query(`select format, oldest_writer from ${t.prefix}meta`);
  if (meta === undefined) return 0;
  const found = { format: Number(meta["format"]), oldestWriter: Number(meta["oldest_writer"]) };
  checkAdmitted(found, admissionOf(t.migrations).format, t.migrations[0]?.format);
  return found.format;
}

/** What a migration from `from` records when all else is done. */
function recording(t: MigrationTarget, from: number, storeId: string, identity: string): string[] {
  const to = admissionOf(t.migrations);
  if (from >= to.format) return [];
  if (from === 0) {
    const values = [true, to.format, to.oldestReader, to.oldestWriter, 1, t.literal(storeId), t.literal(identity)].join(", ");
    return [`insert into ${t.prefix}meta (one, format, oldest_reader, oldest_writer, incarnation, store_id, identity) values (${values})`];
  }
  const admits = `format = ${to.format}, oldest_reader = ${to.oldestReader}, oldest_writer = ${to.oldestWriter}`;
  // W-116: an engine that may not write any more must lose its runs; one that still may registers again. After meta, whose row
  // an engine that is just registering holds.
  const dead = to.oldestWriter > from ? [`update ${t.prefix}engines set dead = true`] : [];
  return [`update ${t.prefix}meta set ${admits}`, ...dead];
}

/**
 * What opening the store would do to its schema, as statements that somebody else may run. Makes nothing. Where they will be run
 * is not known: the identity stays empty, and the first process that opens the store records it.
 */
export async function migrationPlanFor(t: MigrationTarget, platform: Platform): Promise<MigrationPlan> {
  const from = await formatOf(t);
  const statements = [...statementsFor(t.migrations, t.prefix, from), ...recording(t, from, platform.uuidV4(), "")];
  return { from, to: admissionOf(t.migrations).format, statements };
}

/** Brings the schema to the last format of the list. Two processes take turns; the second finds nothing to do. */
export async function migrate(t: MigrationTarget, platform: Platform, identity: string): Promise<void> {
  let n = 0;
  const hit = (): void => platform.hit(`engine:migrate:${++n}`);
  await t.locked(async () => {
    const from = await formatOf(t);
    if (from >= admissionOf(t.migrations).format) return;
    for (const statement of statementsFor(t.migrations, t.prefix, from)) {
      hit();
      await t.run(statement);
    }
    const record = async (): Promise<void> => {
      for (const statement of recording(t, from, platform.uuidV4(), identity)) await t.run(statement);
      hit();
    };
    await (t.together === undefined ? record() : t.together(record));
  });
  if (n > 0) hit();
}

/** A store that is ready to be used, no matter who made its tables. */
export async function prepareTables(t: MigrationTarget, platform: Platform, identity: string, found: number): Promise<void> {
  if (found < admissionOf(t.migrations).format) return migrate(t, platform, identity);
  // Made by statements that were handed to somebody: the first process that comes records where it is (K4).
  const unnamed = await t.query(`select 1 as found from ${t.prefix}meta where identity = ''`);
  if (unnamed.length > 0) await t.run(`update ${t.prefix}meta set identity = ${t.literal(identity)} where identity = ''`);
}

/** A new life of the store (K4): the incarnation rises, and what the database is now becomes what it is known to be. */
export async function raiseIncarnationOf(t: MigrationTarget, identity: string): Promise<number> {
  let raised = 0;
  await t.locked(async () => {
    await t.run(`update ${t.prefix}meta set incarnation = incarnation + 1, identity = ${t.literal(identity)}`);
    raised = Number((await t.query(`select incarnation from ${t.prefix}meta`))[0]?.["incarnation"]);
  });
  return raised;
}
