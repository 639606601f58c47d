// The tasks of the cluster's first type of worker: `pawl worker` on this file. Their effects are lines in a file that no engine reads; it must never
// start or own a run.
import { z } from "zod";
import { task } from "../../../src/index.ts";
import { effect } from "./effects.ts";

export const reserve = task({ name: "cluster.reserve", input: z.object({ id: z.string() }) }, ({ id }) => effect("reserve", id), {
  queue: "tasks",
  key: (i) => `reserve-${i.id}`,
  dedup: "1h",
  timeout: "30s",
});
