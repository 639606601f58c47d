// How most tests ask for a control: durable, whatever the run's status is, and not awaited, since a virtual clock stands still meanwhile.
// A test of the answers themselves must never use it.
export const posted = { timeoutMs: 0, unconditional: true } as const;
