// The page about access against the code: roles and scopes are those of the code, its commands run, and what it says of limits holds. Guards against
// a page that outlives them.
import { afterEach, describe, expect, it } from "vitest";
import { accessRoles, accessScopes, roleScopes } from "../../src/core/principal.ts";
import { checkServerSettings } from "../../src/server/access/gates.ts";
import { CliFolder, killCommands } from "../cli/pawl-process.ts";
import { pageSource, pageText } from "./read-page.ts";

afterEach(killCommands);

describe("docs/access.md", () => {
  const page = pageSource("docs/access.md");

  it("has every scope, and every role with its scopes", () => {
    for (const scope of accessScopes) expect(page).toMatch(new RegExp(`^\\| ${scope} +\\|`, "m"));
    for (const role of accessRoles) {
      const [, scopes = ""] = new RegExp(`^\\| ${role} +\\| ([^|]+) \\|`, "m").exec(page.slice(page.indexOf("| role "))) ?? [];
      expect(scopes.trim().split(", "), role).toEqual(roleScopes[role]);
    }
  });

  it("its commands run as they stand", { timeout: 120_000 }, async () => {
    const place = new CliFolder();
    await place.pawl("init");
    const blocks = [...page.matchAll(/<!-- run -->\n\n```sh\n([^`]+)```/g)].map(([, text = ""]) => text.trim().split("\n"));
    expect(blocks).toHaveLength(2);
    for (const line of blocks.flat()) {
      const [program, ...args] = line.split(" ");
      expect(program).toBe("pawl");
      const { code, err } = await place.pawl(...args);
      expect(code, `${line}: ${err}`).toBe(0);
    }
  });

  it("says the limits that the code has", () => {
    const text = pageText("docs/access.md");
    const has = (source: string, code: string, said: string): void => {
      expect([pageSource(source).includes(code), text.includes(said)], said).toEqual([true, true]);
    };
    has("src/access/tokens.ts", "90 * dayMs", "valid for 90 days");
    has("src/access/tokens.ts", "shareTtlMsMax = 3_600_000", "is valid for an hour at most");
    has("src/access/sessions.ts", "sessionMs = 43_200_000", "a session that lasts twelve hours");
    has("src/access/audit-retention.ts", "2_557 * 86_400_000", "2557d");
    has("src/server/access/jwt.ts", "ageSecondsMax = 86_400", "be at most a day old");
    has("src/server/access/jwt.ts", "cacheMaxAge = 300_000", "read again every five minutes");
    const settings = { behindProxy: false, store: { persistence: "durable", unsafe: [] }, production: false, signers: 0 } as const;
    expect(() => checkServerSettings({ ...settings, auth: "none" })).toThrow(expect.objectContaining({ page: "PAWL5040" }) as Error);
  });
});
