// A process that awaits two answers of one connection and nothing else. It says "both" when it has them; one that is let go
// of too early ends before, without a word. Never decides what is right.
import { systemPlatform } from "../../../src/platform/system.ts";
import { openConnection as connectMysql } from "../../../src/store/mysql/wire/driver.ts";
import { parseAddress } from "../../../src/store/mysql/open.ts";
import { openConnection as connectPostgres } from "../../../src/store/postgres/wire/driver.ts";

const [url] = process.argv.slice(2);
if (url.startsWith("postgres:")) {
  const c = await connectPostgres({ connectionString: url, options: "", connectMsMax: 5_000 });
  c.keepAlive(false);
  const held = async (text) => {
    c.keepAlive(true);
    await c.exec(text);
    c.keepAlive(false);
  };
  await Promise.all([held("select 1"), held("select pg_sleep(0.3)")]);
} else {
  const c = await connectMysql(parseAddress(url).address, systemPlatform());
  await Promise.all([c.query("select 1 as one"), c.query("select sleep(0.3) as slept")]);
}
console.log("both");
