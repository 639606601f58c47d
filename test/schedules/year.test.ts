// A virtual year of schedules on engines that die at random. Guards that each due time is recorded once and none is early, also where clocks change.
// It must never depend on real time: the seed says who dies when.
import { describe, expect, it } from "vitest";
import { testClusters } from "../support/test-cluster.ts";
import { scheduleYear } from "./year.ts";
import { wholeDose } from "../support/whole-dose.ts";

const open = testClusters();

describe("three engines that die at random, six time zones, a year", () => {
  it("every due time has one record and at most one run, and none is early", { timeout: 600_000 }, async () => {
    const days = wholeDose ? 366 : 184; // half of it has a change of clocks in each zone that changes them
    const report = await scheduleYear(await open("memory", 7), { seed: 7, days });
    expect(report.problems).toEqual([]);
    expect(report.started).toBeGreaterThan(4.9 * days);
    expect(report.kills).toBeGreaterThan(days / 8);
  });
});
