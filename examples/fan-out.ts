// Work over many items: ctx.map gives each item its own steps, named by the item's key, so adding or reordering items does not
// confuse a run in progress. After a crash, only the items that had not finished run again.
import { run, workflow } from "pawl";

const thumbnails = workflow({ name: "thumbnails" }, async (ctx) => {
  const photos = await ctx.step("list", () => ["cat.jpg", "dog.jpg", "owl.jpg", "fox.jpg"]);

  const sizes = await ctx.map("shrink", photos, { key: (photo) => photo, concurrency: 2 }, async (photo, each) => {
    const bytes = await each.step("load", () => photo.length * 1_000);
    return each.step("resize", () => bytes / 10, { repeatable: true });
  });

  return Object.fromEntries(photos.map((photo, i) => [photo, sizes[i]]));
});

console.log(await run(thumbnails, undefined, { id: "album-1" }));
