// One action on every run that a filter matches.
// It must never act on a run itself: the batch does.
import type { HandlersOf } from "../call.ts";
import { page } from "./pages.ts";

type Own = "batches.create" | "batches.list" | "batches.get" | "batches.stop";

export const batchHandlers: HandlersOf<Own> = {
  "batches.create": async ({ client }, input) => {
    const body = await client.batches.create(input);
    if (body.state === "dry-run") return { body };
    return { body, replayed: body.replayed === true, outcome: "pending", at: ["batches", body.batchId] };
  },
  "batches.list": async ({ client }, input) => {
    const { batches, cursor } = await client.batches.list(input);
    return { body: page(batches, cursor) };
  },
  "batches.get": async ({ client }, { batchId }) => ({ body: await client.batches.get(batchId) }),
  "batches.stop": async ({ client }, { batchId, ...o }) => ({ body: await client.batches.stop(batchId, o) }),
};
