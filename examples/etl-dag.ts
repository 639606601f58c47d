// 10,000 rows are fetched, cleaned and loaded; some cannot be cleaned at first. The run fails after all the others have finished, and its retry does
// only what failed: every other row keeps its recorded result.
import { dag, engine } from "pawl";

let isFixed = false;
const cleaned = new Map<number, number>();

const etl = dag({ name: "etl" }, (t) => {
  const rows = t.task("extract", {}, () => Array.from({ length: 10_000 }, (_, id) => ({ id, cents: id % 100 })));
  const clean = t.each(
    "clean",
    rows,
    ({ id, cents }) => {
      cleaned.set(id, (cleaned.get(id) ?? 0) + 1);
      if (id % 1_000 === 7 && !isFixed) throw new Error(`row ${id} has no currency`);
      return cents;
    },
    { id: (row) => String(row.id), concurrency: 200, repeatable: true },
  );
  return t.task("load", { clean }, ({ clean }) => ({ rows: clean.length, cents: clean.reduce((a, b) => a + b, 0) }));
});

const app = await engine({ workflows: [etl] });
const first = await app.start(etl);
await first.result().catch((e: Error) => console.log(`failed: ${e.message}`));
console.log(`cleaned ${cleaned.size} rows, ${[...cleaned.values()].filter((n) => n > 1).length} of them twice`);

isFixed = true;
const again = await first.retry();
console.log(await again.result());
console.log(`run again: ${[...cleaned.values()].filter((n) => n > 1).length} rows`);
await app.stop();
