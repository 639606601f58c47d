// A shop in a process of its own, without an engine: an order's row and its run in one transaction. It dies by SIGKILL at
// the point that it is told: when the row is there, when the run is there as well, or when both were committed.
import mysql2 from "mysql2/promise";
import pg from "pg";
import { connect as connectClient, type UserTransaction } from "../../../src/client.ts";
import { parseAddress } from "../../../src/store/mysql/open.ts";
import { openHandle } from "../../../src/sqlite.ts";

interface Wanted {
  readonly store: string;
  readonly id: string;
  readonly dies: "inserted" | "started" | "signalled" | "committed";
}
const { store, id, dies } = JSON.parse(process.argv[2] ?? "{}") as Wanted;

interface Mine {
  readonly tx: UserTransaction;
  sql(text: string): Promise<unknown>;
}

async function open(): Promise<Mine> {
  if (store.startsWith("sqlite:")) {
    const db = await openHandle(store.slice("sqlite:".length));
    return { tx: db, sql: async (text) => db.exec(text.replace(/^begin$/, "begin immediate")) };
  }
  if (store.startsWith("postgres:")) {
    const u = new URL(store);
    const options = u.searchParams.get("options") ?? "";
    u.search = "";
    const client = new pg.Client({ connectionString: u.href, options });
    await client.connect();
    return { tx: client, sql: (text) => client.query(text) };
  }
  const { host, port, user, password, database } = parseAddress(store).address;
  const c = await mysql2.createConnection({ host, port, user, password, database });
  return { tx: c, sql: (text) => c.query(text) };
}

function reached(point: Wanted["dies"]): void {
  if (dies === point) process.kill(process.pid, "SIGKILL");
}

const client = await connectClient({ store });
const { tx, sql } = await open();
await sql("begin");
await sql(`insert into orders values ('${id}')`);
reached("inserted");
await client.start({ workflow: "order", allowUnknown: true, input: { id }, id, tx });
reached("started");
await client.signal(id, "paid", 7, { signalId: "p-1", tx });
reached("signalled");
await sql("commit");
reached("committed");
