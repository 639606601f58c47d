// Which sentences of the contract a test proves: `it("what is so", proves("I7", "K27"), …)`. The ids travel as the test's meta into the
// report, where the conformance table and the mutants read them. A range such as "D-004 … D-007" stands for every id in it. It must
// never be put on a test that stays green when the code that the sentence is about is broken.
declare module "vitest" {
  interface TaskMeta {
    ids?: readonly string[];
  }
}

export interface Proves {
  readonly meta: { readonly ids: readonly string[] };
}

export function proves(...ids: readonly string[]): Proves {
  return { meta: { ids } };
}
