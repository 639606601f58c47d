// A transaction of a few statements under READ COMMITTED, whatever the database's default is: under a stricter one a count would be made under
// the snapshot of the first statement, and a limit could be passed. It waits for no lock for longer than any other of Pawl's own.
import { storeError } from "../errors.ts";
import type { BoundSession } from "../wire/session.ts";

export async function readCommitted<T>(r: BoundSession, body: () => Promise<T>): Promise<T> {
  await r.exec("begin isolation level read committed; set local lock_timeout = '250ms'");
  let value: T;
  try {
    value = await body();
  } catch (e) {
    await r.rollback();
    throw e;
  }
  await r.exec("commit").catch((e: unknown) => {
    throw storeError(e, "commit");
  });
  return value;
}
