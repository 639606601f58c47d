// That the one warning is dropped and all others are not, and that Node's own function is back in place afterwards.
// Runs on the real process object: that is the thing that would be left broken.
import { describe, expect, it, vi } from "vitest";
import { withoutExperimentalWarning } from "./warnings.ts";

describe("warnings", () => {
  it("drops experimental warnings about one feature while it loads, and nothing else", async () => {
    const heard: unknown[] = [];
    const spy = vi.spyOn(process, "emitWarning").mockImplementation((w: string | Error) => void heard.push(String(w)));
    const original = process.emitWarning;
    await withoutExperimentalWarning("SQLite", async () => {
      process.emitWarning("SQLite is an experimental feature", "ExperimentalWarning");
      process.emitWarning("SQLite is an experimental feature", { type: "ExperimentalWarning" });
      process.emitWarning("Something else is experimental", "ExperimentalWarning");
      process.emitWarning("SQLite is deprecated", "DeprecationWarning");
    });
    expect(process.emitWarning).toBe(original);
    await expect(withoutExperimentalWarning("SQLite", () => Promise.reject(new TypeError("no such module")))).rejects.toThrow(
      "no such module",
    );
    expect(process.emitWarning).toBe(original);
    spy.mockRestore();
    expect(heard).toEqual(["Something else is experimental", "SQLite is deprecated"]);
  });
});
