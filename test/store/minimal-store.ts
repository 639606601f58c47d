// The smallest store that somebody else may write: the verbs of `Store` and no facet, as a class with private members. It keeps everything in
// a memory store. For tests; nothing in the package imports it.
import type { Platform } from "../../src/platform/platform.ts";
import type { FullStore } from "../../src/store/full-store.ts";
import type { MemoryState } from "../../src/store/memory/state.ts";
import { memoryStore } from "../../src/store/memory/store.ts";
import type * as port from "../../src/store/port.ts";

type Verb<K extends keyof port.Store> = Extract<port.Store[K], (...q: never[]) => unknown>;

export class MinimalStore implements port.Store {
  readonly name = "minimal";
  readonly #memory: FullStore;

  constructor(platform: Platform, state?: MemoryState) {
    this.#memory = memoryStore(platform, state === undefined ? {} : { state });
  }
  capabilities(): port.Capabilities {
    return this.#memory.capabilities();
  }
  info(): Promise<port.StoreInfo> {
    return this.#memory.info();
  }
  registerEngine(...[e]: Parameters<Verb<"registerEngine">>): Promise<void> {
    return this.#memory.registerEngine(e);
  }
  renew(r: port.Renewal): Promise<"renewed" | "dead"> {
    return this.#memory.renew(r);
  }
  declareDead(...[q]: Parameters<Verb<"declareDead">>): Promise<readonly string[]> {
    return this.#memory.declareDead(q);
  }
  claim(q: port.ClaimQuery): Promise<readonly port.RunRow[]> {
    return this.#memory.claim(q);
  }
  ownedRuns(...[q]: Parameters<Verb<"ownedRuns">>): Promise<readonly string[]> {
    return this.#memory.ownedRuns(q);
  }
  commit(batch: readonly port.Commit[], renew?: port.Renewal): port.BatchAnswer | Promise<port.BatchAnswer> {
    return this.#memory.commit(batch, renew);
  }
  post(p: port.Post): Promise<port.PostAnswer> {
    return this.#memory.post(p);
  }
  inbox(...[q]: Parameters<Verb<"inbox">>): Promise<readonly port.InboxRow[]> {
    return this.#memory.inbox(q);
  }
  run(q: port.RunSelector): Promise<port.RunRow | undefined> {
    return this.#memory.run(q);
  }
  runs(q: port.RunQuery): ReturnType<Verb<"runs">> {
    return this.#memory.runs(q);
  }
  events(q: port.EventQuery): Promise<readonly port.EventRecord[]> {
    return this.#memory.events(q);
  }
  views(runId: string): Promise<Readonly<Record<string, string>>> {
    return this.#memory.views(runId);
  }
  checkpoint(...[q]: Parameters<Verb<"checkpoint">>): Promise<port.CheckpointRecord | undefined> {
    return this.#memory.checkpoint(q);
  }
  effects(q: port.EffectQuery): ReturnType<Verb<"effects">> {
    return this.#memory.effects(q);
  }
  close(): Promise<void> {
    return this.#memory.close();
  }
}
