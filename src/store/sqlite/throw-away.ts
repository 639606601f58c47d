// A SQLite file for one test. The file's store is opened by the caller first: a file that holds other tables and no store
// would be refused as somebody else's.
import type { ThrowAway } from "../throw-away.ts";
import { openConnection, type Connection } from "./wire/driver.ts";
import { query } from "./tx/transact.ts";

/** `remove` closes this connection only: the file lies in a folder that its caller removes. */
export function throwAwayFile(path: string): ThrowAway {
  let db: Connection | undefined;
  return {
    url: `sqlite:${path}`,
    sql: {
      async query(parts, values) {
        db ??= await openConnection(path);
        return query(db, parts, values);
      },
    },
    async remove() {
      db?.close();
    },
  };
}
