// Durable in one file: kill it anywhere, run it again, and it goes on where it was. The store is the nearest .pawl folder,
// made here when there is none.
import { run, workflow } from "pawl";

const dice = workflow({ name: "dice" }, async (ctx) => {
  const first = await ctx.step("first roll", () => 1 + Math.floor(Math.random() * 6));
  console.log(`first roll: ${first}`);

  await ctx.sleep("think", "2s"); // a timer in the store: it survives the process

  const [second, third] = await Promise.all([
    ctx.step("second roll", () => 1 + Math.floor(Math.random() * 6)),
    ctx.step("third roll", () => 1 + Math.floor(Math.random() * 6)),
  ]);
  return { sum: first + second + third };
});

// The same id attaches to the same run: started again, it never rolls a die twice.
console.log(await run(dice, undefined, { id: "game-1" }));
