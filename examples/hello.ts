// Durable in one file: kill it anywhere, run it again, and it continues. A recorded step never runs again. The store is the
// nearest .pawl folder; if there is none, it is created here.
import { run, workflow } from "pawl";

const roll = (which: string) => () => {
  const n = 1 + Math.floor(Math.random() * 6);
  console.log(`${which} roll: ${n}`);
  return n;
};

const dice = workflow({ name: "dice" }, async (ctx) => {
  const first = await ctx.step("first", roll("first"));
  await ctx.sleep("think", "2s"); // a timer in the store: it survives the process
  const [second, third] = await Promise.all([ctx.step("second", roll("second")), ctx.step("third", roll("third"))]);
  return { sum: first + second + third };
});

// The same id is the same run: it is resumed, or its recorded result is returned.
console.log(await run(dice, undefined, { id: "game-1" }));
