// Workflows as their engines published them, and the engines of this tenant.
// It must never show engines of another tenant.
import type { HandlersOf } from "../call.ts";
import { notBuilt } from "./not-built.ts";
import { page } from "./pages.ts";

type Own = "workflows.list" | "workflows.pause" | "workflows.resume" | "engines.list" | "engines.drain";

export const workflowHandlers: HandlersOf<Own> = {
  "workflows.list": async ({ client }) => ({ body: page(await client.workflows()) }),
  "workflows.pause": notBuilt("workflows.pause"),
  "workflows.resume": notBuilt("workflows.resume"),
  "engines.list": async ({ client }) => ({ body: page((await client.info()).engines) }),
  "engines.drain": notBuilt("engines.drain"),
};
