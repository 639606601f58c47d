// `pawl templates` as a person types it: check, register, print one version, retire it. What is refused says which file or version. A retired
// version keeps what is known of it, and no option of the program may be taken for one of the command.
import { afterEach, expect, it } from "vitest";
import { CliFolder, killCommands } from "./pawl-process.ts";

afterEach(killCommands);

const yaml = (handler: string, version: string): string =>
  `namespace: shop\nname: order\nversion: "${version}"\nsteps:\n  - name: charge\n    handler: ${handler}\n`;

it("templates are registered from files, printed by version, and retired by version", async () => {
  const folder = new CliFolder({ "one.yaml": yaml("a", "1"), "two.yaml": yaml("a", "2"), "other.yaml": yaml("b", "1") });
  await folder.pawl("init");
  for (const file of ["one.yaml", "two.yaml"]) expect((await folder.pawl("templates", "put", `./${file}`)).code).toBe(0);
  const conflict = await folder.pawl("templates", "put", "./other.yaml");
  expect([conflict.code, conflict.err.includes("PAWL1026")]).toEqual([2, true]);
  expect(await folder.json("templates", "get", "shop", "order", "--version", "1")).toMatchObject({ version: "1" });
  type Listed = { items: { version: string; registeredAt: string; retired?: unknown }[] };
  const listed = async (): Promise<Listed["items"]> => ((await folder.json("templates", "list")) as Listed).items;
  const before = await listed();
  const retired = await folder.pawl("templates", "retire", "shop", "order", "--version", "1", "--by", "ann", "--reason", "replaced by 2");
  expect([retired.code, retired.err]).toEqual([0, "nothing new is started of shop/order version 1\n"]);
  const after = await listed();
  expect(after.map((t) => [t.version, t.retired])).toEqual([
    ["1", { by: "ann", reason: "replaced by 2" }],
    ["2", undefined],
  ]);
  expect(after.map((t) => t.registeredAt)).toEqual(before.map((t) => t.registeredAt));
});
