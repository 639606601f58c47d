// One action on every run that a filter matches.
// It must never act on a run itself: the batch does.
import type { HandlersOf } from "../call.ts";
import { notBuilt } from "./not-built.ts";

type Own = "batches.create" | "batches.list" | "batches.get" | "batches.stop";

export const batchHandlers: HandlersOf<Own> = {
  "batches.create": notBuilt("batches.create"),
  "batches.list": notBuilt("batches.list"),
  "batches.get": notBuilt("batches.get"),
  "batches.stop": notBuilt("batches.stop"),
};
