// Workflows as their engines published them, and the engines of this tenant.
// It must never show engines of another tenant.
import type { HandlersOf } from "../call.ts";
import { page } from "./pages.ts";

type Own = "workflows.list" | "workflows.pause" | "workflows.resume" | "engines.list" | "engines.drain";

export const workflowHandlers: HandlersOf<Own> = {
  "workflows.list": async ({ client }) => ({ body: page(await client.workflows()) }),
  "workflows.pause": async ({ client }, { name, ...o }) => ({ body: await client.pauseWorkflow(name, o) }),
  "workflows.resume": async ({ client }, { name }) => ({ body: await client.resumeWorkflow(name) }),
  "engines.list": async ({ client }) => ({ body: page(await client.engines()) }),
  "engines.drain": async ({ client }, { engineId, ...o }) => ({ body: await client.drainEngine(engineId, o) }),
};
