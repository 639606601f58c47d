// One session with the store's texts and its clock: what the verbs speak to. Behind a pooler, and in the user's own
// transactions, nothing is prepared under a name, because the next statement may meet another session or other plans.
import type { Answer, Bind, Connection, Query } from "./driver.ts";
import { scopeKey } from "../keys.ts";
import type { OneRun } from "../port.ts";
import type { SqlName, Texts } from "./sql.ts";

export interface Setting {
  readonly schema: string;
  readonly texts: Texts;
  /** The clock of a test; null = the server's. */
  readonly clock: () => number | null;
}

/** As much of a session as statements need. */
export type Speaker = Pick<Connection, "query" | "exec" | "destroy">;

export class Runner {
  readonly setting: Setting;
  readonly #c: Speaker;
  readonly #named: boolean;

  constructor(c: Speaker, setting: Setting, named: boolean) {
    this.#c = c;
    this.setting = setting;
    this.#named = named;
  }

  get named(): boolean {
    return this.#named;
  }

  /** One of the texts, prepared once per session. */
  text(name: SqlName, ...values: Bind[]): Promise<Answer> {
    return this.query({ name: `pawl_${name}`, text: this.setting.texts[name], values });
  }

  /** One of the texts, planned anew: for joins whose best plan changes as tables grow. */
  planned(name: SqlName, ...values: Bind[]): Promise<Answer> {
    return this.#c.query({ text: this.setting.texts[name], values });
  }

  query(q: Query): Promise<Answer> {
    return this.#c.query(
      this.#named || q.name === undefined ? q : { text: q.text, ...(q.values === undefined ? {} : { values: q.values }) },
    );
  }

  exec(text: string): Promise<Answer> {
    return this.#c.exec(text);
  }

  /** Takes everything of the open transaction back; a session that cannot is cut, which does the same. */
  async rollback(): Promise<void> {
    await this.#c.exec("rollback").catch(() => this.#c.destroy());
  }
}

/** The row of one run, whichever way it is named. */
export function oneRun(r: Runner, q: OneRun): Promise<Answer> {
  if ("runId" in q) return r.text("run", q.runId);
  return "workflowId" in q ? r.text("latest", scopeKey(q.scope), q.workflowId) : r.text("byStartKey", scopeKey(q.scope), q.idempotencyKey);
}
