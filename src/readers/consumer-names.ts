// Whose a consumer's name is. Under one name there is one watermark in every log: a subscriber, a projector and a webhook that shared
// one would take each other's events, and nobody would notice. So a name belongs to the one that had it first, and the names of
// endpoints and of the standard projector to nobody else. Several processes that do the same work share a name.
import { PawlError } from "../errors/error.ts";
import type { FullStore } from "../store/full-store.ts";
import type { ConsumerId } from "../store/reader-store.ts";
import { consumerCollection } from "./kv-keys.ts";
import { isRecordedProjector } from "./recorded-policy.ts";

/** What a webhook's consumer is called, before the endpoint's id. */
export const endpointPrefix = "webhook/";
export const defaultProjector = "projector";

const nameForm = /^[\x21-\x7e]{1,128}$/;

export async function checkSubscriberName(store: FullStore, consumer: ConsumerId): Promise<void> {
  checkConsumerName("consumer", consumer.name);
  if (consumer.name === defaultProjector || (await isRecordedProjector(store, consumer)))
    throw new PawlError("PAWL5001", `consumer: ${consumer.name} is the name of a projector`);
}

export async function checkProjectorName(store: FullStore, consumer: ConsumerId): Promise<void> {
  checkConsumerName("name", consumer.name);
  if (consumer.name === defaultProjector || (await isRecordedProjector(store, consumer))) return;
  const [joined] = await store.kv.get(consumerCollection("from", consumer), ["from"]);
  if (joined !== undefined) throw new PawlError("PAWL5001", `name: ${consumer.name} is the name of a subscriber`);
}

/** A name that is one, and no endpoint's. */
export function checkConsumerName(option: string, name: unknown): void {
  if (typeof name !== "string" || !nameForm.test(name))
    throw new PawlError("PAWL5001", `${option} must be 1 to 128 printable ASCII characters without spaces`);
  if (name.startsWith(endpointPrefix)) throw new PawlError("PAWL5001", `${option}: ${name} is the name of a webhook's consumer`);
}
