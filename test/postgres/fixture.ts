// A schema of its own for each test of the Postgres store, with whatever was opened on it closed again. Waits here are for
// facts, never for a time; the test's own limit is the only clock.
import { afterEach, beforeEach } from "vitest";
import { isPawlError } from "../../src/errors/error.ts";
import { systemPlatform } from "../../src/platform/system.ts";
import type { Platform } from "../../src/platform/platform.ts";
import type { FullStore } from "../../src/store/full-store.ts";
import type { Connection } from "../../src/store/postgres/wire/driver.ts";
import { openPostgres, type PostgresOptions } from "../../src/store/postgres/store.ts";
import { dropSchema, freshPlace, raw as rawAt } from "./bundle.ts";

export interface Fixture {
  readonly platform: Platform;
  url: string;
  schema: string;
  /** Closed in reverse order after the test. */
  readonly closing: (() => Promise<unknown>)[];
  store(o?: PostgresOptions, at?: string): Promise<FullStore>;
  /** Another program on the same database. */
  raw(options?: string): Promise<Connection>;
}

export function fixture(): Fixture {
  const f: Fixture = {
    platform: systemPlatform(),
    url: "",
    schema: "",
    closing: [],
    async store(o = {}, at = f.url) {
      const s = await openPostgres(at, f.platform, o);
      f.closing.push(() => s.close());
      return s;
    },
    async raw(options) {
      const u = new URL(f.url);
      if (options !== undefined) u.searchParams.set("options", options);
      const c = await rawAt(u.href);
      f.closing.push(() => c.end().catch(() => c.destroy()));
      return c;
    },
  };
  beforeEach(async () => Object.assign(f, await freshPlace()));
  afterEach(async () => {
    for (const close of f.closing.splice(0).reverse()) await close();
    await dropSchema(f.url, f.schema);
  });
  return f;
}

export async function codeOf(p: unknown): Promise<unknown> {
  return Promise.resolve(p).then(
    () => "no error",
    (e: unknown) => (isPawlError(e) ? [e.page, e.outcome] : e),
  );
}

export async function until(fact: () => Promise<boolean> | boolean): Promise<void> {
  while (!(await fact())) await new Promise((resolve) => setTimeout(resolve, 10));
}
