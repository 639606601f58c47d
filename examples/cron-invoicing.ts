// Invoices every night at half past two in Zurich, on the night when clocks go forward and 2:30 does not exist, and on the night when they
// go back and it comes twice. The engine is killed on the way, before and after a fire. Every night has one invoice: the runs, the
// record of the schedule and the proof say so. The clock is a test's: a year takes a moment.
import { schedule, workflow } from "pawl";
import { testEngine } from "pawl/testing";
import { z } from "zod";

const book: string[] = [];

const invoicing = workflow({ name: "invoicing", input: z.object({ night: z.string() }) }, async (ctx, { night }) => {
  await ctx.step("invoice", (s) => void (book.includes(s.key) || book.push(s.key)), { key: `invoice-${night}`, dedup: "30d" });
});

/** A night is named after the day in Zurich. */
const dayInZurich = new Intl.DateTimeFormat("sv-SE", { timeZone: "Europe/Zurich", dateStyle: "short" });
const nightly = schedule("invoices", { cron: "30 2 * * *", tz: "Europe/Zurich" }, invoicing, (due) => ({ night: dayInZurich.format(due) }));

const app = await testEngine({ startAt: new Date("2027-03-26T12:00:00Z"), workflows: [invoicing], schedules: [nightly] });
const shown = async (): Promise<void> => {
  const { fires } = await app.schedules.get("invoices");
  for (const f of fires.slice(0, 3).toReversed()) console.log(f.due, f.did);
};

app.crashAt("engine:fire"); // it dies when it is about to fire; the next one fires
await app.advance("3d");
await shown(); // 2027-03-28 has no 2:30: it is three o'clock at once, 01:00 UTC

await app.advance("214d");
app.crashAt("engine:fired"); // it dies when it has just fired; the next one finds that out
await app.advance("3d");
await shown(); // 2027-10-31 has two of them: the first one counts

const { fires } = await app.schedules.get("invoices", { fires: 1000 });
const { runs } = await app.list({ tags: { schedule: "invoices" }, limit: 1000 });
console.log("nights:", fires.length, "runs:", runs.length, "invoices:", book.length, "twice:", book.length - new Set(book).size);
const night = await app.get(invoicing, "invoices/2027-10-31T00:30:00.000Z");
console.log((await night?.proof())?.sentence);
await app.stop();
