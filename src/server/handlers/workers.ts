// The worker protocol: programs in any language take steps off queues and report them. What it does is in server/workers; a handler only finds
// those of the server's store and tenant.
import type { Scope } from "../../core/model.ts";
import { scopeKey } from "../../store/keys.ts";
import type { FullStore } from "../../store/full-store.ts";
import type { HandlersOf, ServerFacts } from "../call.ts";
import { RemoteWorkers } from "../workers/remote-workers.ts";

type Own = "workers.register" | "workers.poll" | "workers.beats" | "workers.results" | "workers.leave";

const known = new WeakMap<FullStore, Map<string, RemoteWorkers>>();

function remoteWorkersOf({ store, scope, platform }: ServerFacts): RemoteWorkers {
  const ofStore = known.get(store) ?? new Map<string, RemoteWorkers>();
  known.set(store, ofStore);
  const key = keyOf(scope);
  const found = ofStore.get(key) ?? new RemoteWorkers(store, scope, platform);
  ofStore.set(key, found);
  return found;
}
const keyOf = (scope: Scope): string => scopeKey(scope);

export const workerHandlers: HandlersOf<Own> = {
  "workers.register": async ({ server, caller }, hello) => {
    const body = await remoteWorkersOf(server).register(hello, caller.queues);
    return { body, outcome: "created", at: ["workers", body.workerId] };
  },
  "workers.poll": async ({ server, caller, signal }, { workerId, ...poll }) => ({
    body: await remoteWorkersOf(server).poll(workerId, poll, caller.queues, signal),
  }),
  "workers.beats": async ({ server, caller }, { workerId, beats }) => ({
    body: await remoteWorkersOf(server).beats(workerId, beats, caller.queues),
  }),
  "workers.results": async ({ server, caller }, { workerId, results }) => ({
    body: await remoteWorkersOf(server).results(workerId, results, caller.queues),
  }),
  "workers.leave": async ({ server, caller }, { workerId, holds }) => {
    await remoteWorkersOf(server).leave(workerId, holds, caller.queues);
    return { body: { left: true } };
  },
};
