// The worker that lays out a large plan: a plan in, its picture out.
// It must never load anything else.
import { layOut, type PlanNode } from "./layers.ts";

addEventListener("message", (message: MessageEvent<readonly PlanNode[]>) => postMessage(layOut(message.data)));
