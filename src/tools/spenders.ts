// Workflows that count what they spend and can be given an allowance: agents.
// Kept here, below them, so that asTool() can ask. It holds no budget.
const spenders = new WeakSet<object>();

export function registerSpender(wf: object): void {
  spenders.add(wf);
}

export function isSpender(wf: object): boolean {
  return spenders.has(wf);
}
