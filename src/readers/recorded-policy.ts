// The policy of a scope's projectors, written down by the first of them: another deployment that was configured differently is refused
// (D-120), so that two of them never show different states for one log without anybody noticing. Only a rebuild from zero may
// change it, and only while no other projector of the scope is at work.
import type { Scope } from "../core/model.ts";
import { PawlError } from "../errors/error.ts";
import type { FullStore } from "../store/full-store.ts";
import type { ConsumerId } from "../store/reader-store.ts";
import { leaseHolder } from "./consumer-lease.ts";
import { scopeCollection } from "./kv-keys.ts";
import { policyFromStore, policyToStore } from "./projection-rows.ts";
import type { ProjectorPolicy } from "./reduce.ts";

const key = "policy";
const projectorKeyPrefix = "name/";

function policyCollection(scope: Scope): string {
  return scopeCollection("projector", scope);
}

/** A projector of this name has been at work here. */
export async function isRecordedProjector(store: FullStore, { scope, name }: ConsumerId): Promise<boolean> {
  return (await store.kv.get(policyCollection(scope), [`${projectorKeyPrefix}${name}`])).length > 0;
}

/** The recorded policy; undefined before the first projector. */
export async function recordedPolicy(store: FullStore, scope: Scope): Promise<ProjectorPolicy | undefined> {
  const [row] = await store.kv.get(policyCollection(scope), [key]);
  return row === undefined ? undefined : policyFromStore(row.value);
}

/** Holds this projector to the scope's policy, or makes `wanted` the scope's. Without a wish it follows what is there. */
export async function agreePolicy(store: FullStore, consumer: ConsumerId, wanted: ProjectorPolicy | undefined): Promise<ProjectorPolicy> {
  const at = policyCollection(consumer.scope);
  await store.kv.put([{ collection: at, key: `${projectorKeyPrefix}${consumer.name}`, value: consumer.name }]);
  const answer = await store.kv.put([{ collection: at, key, value: policyToStore(wanted ?? "mark"), expect: 0 }]);
  if (answer.kind === "put") return wanted ?? "mark";
  const recorded: ProjectorPolicy = policyFromStore(answer.rows[0]?.value);
  if (wanted !== undefined && wanted !== recorded)
    throw new PawlError(
      "PAWL4031",
      `the projections here are made with policy "${recorded}", but ${consumer.name} was started with "${wanted}"`,
      {
        data: { recorded, wanted, projector: consumer.name },
      },
    );
  return recorded;
}

/** For a rebuild from zero: makes `wanted` the scope's policy, unless another projector is at work. */
export async function changePolicy(store: FullStore, consumer: ConsumerId, wanted: ProjectorPolicy): Promise<void> {
  const at = policyCollection(consumer.scope);
  const nowMs = (await store.info()).nowMs;
  for (const row of await store.kv.list({ collection: at, after: projectorKeyPrefix, before: "name0", limit: 1_000 })) {
    const { holder, until } =
      row.value === consumer.name ? { holder: null, until: 0 } : await leaseHolder(store, { ...consumer, name: row.value });
    if (holder !== null && until > nowMs)
      throw new PawlError("PAWL4031", `projector ${row.value} is running with the recorded policy: stop it first`, {
        data: { projector: row.value },
      });
  }
  await store.kv.put([
    { collection: at, key, value: policyToStore(wanted) },
    { collection: at, key: `${projectorKeyPrefix}${consumer.name}`, value: consumer.name },
  ]);
}
