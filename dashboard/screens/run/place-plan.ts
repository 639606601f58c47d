// Lays a plan out without stopping the page: small ones at once, large ones in a worker that ends when it has answered. The worker's address is this page's own
// file, and the only address that the page's policy is ever asked to trust.
import { layOut, type PlacedPlan, type PlanNode } from "./layers.ts";
// Vite makes this module of the address alone.
// oxlint-disable-next-line import/default
import workerAddress from "./layout-worker.ts?worker&url";

const atOnce = 100;

interface ScriptPolicy {
  createScriptURL(url: string): string;
}
const { trustedTypes } = globalThis as {
  readonly trustedTypes?: { createPolicy(name: string, rules: ScriptPolicy): ScriptPolicy };
};
const policy: ScriptPolicy = trustedTypes?.createPolicy("pawl", { createScriptURL: (url) => url }) ?? { createScriptURL: (url) => url };

export function placePlan(nodes: readonly PlanNode[]): Promise<PlacedPlan> {
  if (nodes.length <= atOnce) return Promise.resolve(layOut(nodes));
  return new Promise((resolve, reject) => {
    const worker = new Worker(policy.createScriptURL(workerAddress), { type: "module" });
    worker.addEventListener("message", (message) => {
      resolve(message.data as PlacedPlan);
      worker.terminate();
    });
    worker.addEventListener("error", () => {
      worker.terminate();
      reject(new Error("the picture could not be laid out"));
    });
    worker.postMessage(nodes);
  });
}
