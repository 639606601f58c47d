// The SQLite handle as a user of ctx.tx gets it: `exec` and `prepare` on the connection of the transaction, guarded. A statement that
// was prepared lives as long as the transaction: run later, it would write outside of any.
import { checkStatement } from "../../sql/statement-guard.ts";
import { type SqliteTxClient, type SqliteTxStatement, transactionEnded } from "../../sql/tx-client.ts";
import type { Connection } from "../wire/driver.ts";

export function txClient(db: Connection, gate: { readonly open: boolean }): SqliteTxClient {
  const check = (): void => {
    if (!gate.open) throw transactionEnded();
  };
  return {
    dialect: "sqlite",
    exec(sql) {
      check();
      checkStatement(sql, "sqlite");
      db.exec(sql);
    },
    prepare(sql) {
      check();
      checkStatement(sql, "sqlite");
      return guarded(db.prepare(sql) as unknown as SqliteTxStatement, check);
    },
  };
}

function guarded(statement: SqliteTxStatement, check: () => void): SqliteTxStatement {
  return new Proxy(statement, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== "function") return member;
      return (...args: unknown[]): unknown => {
        check();
        return Reflect.apply(member, target, args);
      };
    },
  });
}
