// pawl/testing: the conformance suite of the store port as data, for whoever writes a store, and the memory store and
// the virtual clock that it was written with. Nothing here is needed to run workflows.
export { suite } from "./store/suite/index.ts";
export type { SuiteBundle, SuiteCase } from "./store/suite/index.ts";
export { memoryStore } from "./store/memory/store.ts";
export { virtualPlatform } from "./platform/virtual.ts";
export type { VirtualPlatform } from "./platform/virtual.ts";
export type { Platform } from "./platform/platform.ts";
export type * from "./store/port.ts";
