// pg's client as a user of ctx.tx gets it: `query` in all its ways, on the connection of the transaction, guarded. Values come back as
// pg's own parsers make them, unless the query names others. It has nothing that could end the session.
import type { PgTxClient, PgTxResult, SendStatement } from "../../sql/tx-client.ts";
import { promiseOrCallback } from "../../sql/tx-client.ts";
import { PawlError } from "../../../errors/error.ts";
import { checkStatement } from "../../sql/statement-guard.ts";
import type { RawClient } from "../wire/driver.ts";

type Done = (e: Error | null, result?: PgTxResult) => void;
interface Config {
  readonly text?: unknown;
  readonly values?: readonly unknown[];
  readonly types?: unknown;
  readonly submit?: unknown;
}

class Client {
  readonly dialect = "postgres" as const;
  readonly #raw: RawClient;
  readonly #send: SendStatement;

  constructor(raw: RawClient, send: SendStatement) {
    this.#raw = raw;
    this.#send = send;
  }
  query(q: string | Config, a?: readonly unknown[] | Done, b?: Done): Promise<PgTxResult> | undefined {
    const done = typeof a === "function" ? a : b;
    return promiseOrCallback(
      this.#send(async () => this.#raw.query(this.#checked(q, typeof a === "function" ? undefined : a))),
      done,
      (r) => [r],
    );
  }
  #checked(q: string | Config, values: readonly unknown[] | undefined): object {
    const config: Config = typeof q === "string" ? { text: q } : q;
    if (typeof config.text !== "string" || config.submit !== undefined)
      throw new PawlError("PAWL1021", "ctx.tx: a query must be a string, or an object with one; cursors and streams are refused", {
        outcome: "none",
      });
    checkStatement(config.text, "postgres");
    const given = values ?? config.values;
    return { ...config, ...(given === undefined ? {} : { values: [...given] }), types: config.types ?? this.#raw.types };
  }
  escapeLiteral(text: string): string {
    return this.#raw.escapeLiteral(text);
  }
  escapeIdentifier(text: string): string {
    return this.#raw.escapeIdentifier(text);
  }
  release(): void {}
}

export function txClient(raw: RawClient, send: SendStatement): PgTxClient {
  return new Client(raw, send) as unknown as PgTxClient;
}
