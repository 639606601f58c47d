// Workflows as their engines published them, and the engines of this tenant.
// It must never show engines of another tenant.
import type { HandlersOf } from "../call.ts";
import { namedPage } from "./pages.ts";

type Own = "workflows.list" | "workflows.pause" | "workflows.resume" | "engines.list" | "engines.drain";

export const workflowHandlers: HandlersOf<Own> = {
  "workflows.list": async ({ client }, q) => ({ body: namedPage(await client.workflows(), (w) => w.workflow, q) }),
  "workflows.pause": async ({ client }, { name, ...o }) => ({ body: await client.pauseWorkflow(name, o) }),
  "workflows.resume": async ({ client }, { name }) => ({ body: await client.resumeWorkflow(name) }),
  "engines.list": async ({ client }, q) => ({ body: namedPage(await client.engines(), (e) => e.engineId, q) }),
  "engines.drain": async ({ client }, { engineId, ...o }) => ({ body: await client.drainEngine(engineId, o) }),
};
