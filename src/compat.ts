// pawl/compat: for those who have events of version 1 of the contract. Apart from the main entry, since nobody else needs it: a projector
// that is given `readVersion1` as its `normalise` reads old records, within a window that ends.
export { readVersion1 } from "./readers/v1-window.ts";
export type { NormaliseRecord } from "./readers/record-version.ts";
