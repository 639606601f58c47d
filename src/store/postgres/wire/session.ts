// One session with the store's texts and its clock: what the verbs speak to. Behind a pooler, and in the user's own
// transactions, nothing is prepared under a name, because the next statement may meet another session or other plans.
import type { QueryResult, Bind, Connection, Query } from "./driver.ts";
import { scopeKey } from "../../keys.ts";
import type { RunSelector } from "../../port.ts";
import type { SqlName, Texts } from "../sql.ts";

export interface StoreSettings {
  readonly schema: string;
  readonly texts: Texts;
  /** The clock of a test; null = the server's. */
  readonly clock: () => number | null;
}

/** As much of a session as statements need. */
export type Queryable = Pick<Connection, "query" | "exec" | "destroy">;

export class BoundSession {
  readonly settings: StoreSettings;
  readonly #c: Queryable;
  readonly #named: boolean;

  constructor(c: Queryable, setting: StoreSettings, named: boolean) {
    this.#c = c;
    this.settings = setting;
    this.#named = named;
  }

  get named(): boolean {
    return this.#named;
  }

  /** One of the texts, prepared once per session. */
  execute(name: SqlName, ...values: Bind[]): Promise<QueryResult> {
    return this.query({ name: `pawl_${name}`, text: this.settings.texts[name], values });
  }

  /** One of the texts, planned again each time: for joins whose best plan changes as tables grow. */
  executeUnprepared(name: SqlName, ...values: Bind[]): Promise<QueryResult> {
    return this.#c.query({ text: this.settings.texts[name], values });
  }

  query(q: Query): Promise<QueryResult> {
    return this.#c.query(
      this.#named || q.name === undefined ? q : { text: q.text, ...(q.values === undefined ? {} : { values: q.values }) },
    );
  }

  exec(text: string): Promise<QueryResult> {
    return this.#c.exec(text);
  }

  /** Takes everything of the open transaction back; a session that cannot is cut, which does the same. */
  async rollback(): Promise<void> {
    await this.#c.exec("rollback").catch(() => this.#c.destroy());
  }
}

/** The row of one run, whichever way it is named. */
export function oneRun(r: BoundSession, q: RunSelector): Promise<QueryResult> {
  if ("runId" in q) return r.execute("run", q.runId);
  return "workflowId" in q
    ? r.execute("latest", scopeKey(q.scope), q.workflowId)
    : r.execute("byStartKey", scopeKey(q.scope), q.idempotencyKey);
}
