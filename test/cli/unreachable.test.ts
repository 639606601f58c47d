// A command whose server does not answer says at once, on standard error, that it tries again.
// It would be silent for half a minute otherwise.
import { afterEach, expect, it } from "vitest";
import { freePort } from "../cluster/place.ts";
import { CliFolder, killCommands } from "./pawl-process.ts";

afterEach(() => killCommands());

it("a command whose server does not answer says that it tries again", async () => {
  const folder = new CliFolder();
  const url = `http://127.0.0.1:${await freePort()}`;
  const ls = folder.start(["ls", "--url", url]);
  await ls.saw(`${url} did not answer: ECONNREFUSED; trying again`);
  ls.child.kill("SIGKILL");
  const { out, err } = await ls.ended;
  expect(out).toBe("");
  expect(err.split("trying again").length - 1).toBe(1);
});
