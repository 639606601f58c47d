// A person in the loop: a run waits for a signal with a time limit; an update is validated and gets an answer; a view can be
// read by anyone while the run waits. The signal carries an id, so sending it twice delivers it once.
import { engine, workflow } from "pawl";
import { z } from "zod";

const expense = workflow(
  {
    name: "expense",
    input: z.object({ cents: z.number() }),
    signals: { decided: z.object({ by: z.string(), yes: z.boolean() }) },
    updates: { correct: { input: z.object({ cents: z.number() }), output: z.object({ was: z.number() }) } },
    views: { state: z.string() },
  },
  async (ctx, input) => {
    let { cents } = input;
    ctx.onUpdate(
      "correct",
      (to) => {
        const was = cents;
        cents = to.cents;
        return { was };
      },
      {
        validate: (to) => {
          if (to.cents <= 0) throw new Error("an expense is more than nothing");
        },
      },
    );
    ctx.publish("state", "waiting for a decision");
    const decision = await ctx.receive("decided", { timeout: "3d" });
    ctx.publish("state", decision === undefined ? "nobody answered" : `decided by ${decision.by}`);
    return { cents, approved: decision?.yes ?? false };
  },
);

const app = await engine({ workflows: [expense] });
const handle = await app.start(expense, { cents: 900 }, { id: "expense-7", onConflict: "restart" });

console.log(await handle.update("correct", { cents: 950 }));
await handle.update("correct", { cents: -1 }).catch((e: Error) => console.log(e.message));
console.log(await handle.view("state"));

const sent = await handle.signal("decided", { by: "ann", yes: true }, { signalId: `mail-${handle.runId}` });
const again = await handle.signal("decided", { by: "ann", yes: true }, { signalId: `mail-${handle.runId}` }).catch(() => sent);
console.log(sent.result.acceptedAt === again.result.acceptedAt ? "one acceptance" : "two acceptances");
console.log(await handle.result(), await handle.view("state"));
await app.stop();
