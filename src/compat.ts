// pawl/compat: for those who come from elsewhere. Apart from the main entry, since nobody else needs it: a projector that is given `readVersion1` as its
// `normalise` reads events of version 1 of the contract, within a window that ends; and the formulas of Aetheris.
export { readVersion1 } from "./readers/v1-window.ts";
export type { NormaliseRecord } from "./readers/record-version.ts";
export { aetherisDecisionId, aetherisStepId, aetherisSteps, type AetherisEvent, type AetherisStep } from "./events/aetheris.ts";
