// Customers of the cluster: each starts an order at one server, asks another one about it at once, waits for its end wherever, and then asks everybody.
// What one server has answered, every other must know: an answer that is older is stale.
import type { ClusterProblem } from "./report.ts";
import type { Answer, RoundRobin } from "./round-robin.ts";

export interface Load {
  readonly ids: readonly string[];
  readonly problems: readonly ClusterProblem[];
  /** Resolves when the first of them has been accepted: it is at work then. */
  readonly begun: Promise<void>;
  /** How many have been accepted and have not ended. */
  readonly atWork: () => number;
  /** Resolves when all have. */
  readonly done: Promise<void>;
}

export function orders(client: RoundRobin, prefix: string, n: number, customers = 40): Load {
  const ids = Array.from({ length: n }, (_, i) => `${prefix}-${i}`);
  const left = ids.toReversed();
  const problems: ClusterProblem[] = [];
  let atWork = 0;
  let first = (): void => {};
  const begun = new Promise<void>((resolve) => (first = resolve));
  const accepted = (): void => {
    atWork++;
    first();
  };
  const customer = async (): Promise<void> => {
    for (let id = left.pop(); id !== undefined; id = left.pop()) {
      problems.push(...(await buy(client, id, accepted)));
      atWork--;
    }
  };
  const done = Promise.all(Array.from({ length: customers }, customer)).then(() => {});
  return { ids, problems, begun, atWork: () => atWork, done };
}

async function buy(client: RoundRobin, id: string, accepted: () => void): Promise<ClusterProblem[]> {
  const problems: ClusterProblem[] = [];
  const stale = (what: string): void => void problems.push({ kind: "race", about: "stale", what: `${id}: ${what}` });
  const { json, server } = await client.start("cluster/order", { id }, id);
  accepted();
  const other = (server + 1) % client.orchestrators;
  const seen = await client.ask("GET", `/runs/${id}`, undefined, other);
  if (seen.status !== 200 || seen.json.runId !== json.runId) stale(`server ${other + 1} does not know it: ${seen.status}`);
  const end = await client.ended(id);
  if (end.json.status !== "COMPLETED") problems.push({ kind: "corruption", what: `${id}: ended as ${JSON.stringify(end.json)}` });
  const [runs, steps] = await Promise.all([client.everywhere(`/runs/${id}`), client.everywhere(`/runs/${id}/steps`)]);
  for (const a of runs) if (a.json?.status !== end.json.status) stale(`server ${a.server + 1} says ${a.json?.status} after it had ended`);
  if (!allEqual(runs.map(standing))) stale(`the orchestrators disagree: ${runs.map(standing).join(" and ")}`);
  if (!allEqual(steps.map((a) => JSON.stringify(a.json)))) stale("the orchestrators disagree about its steps");
  return problems;
}

const standing = (a: Answer): string => `${a.json?.runId} ${a.json?.status} at ${a.json?.headSeq}`;
const allEqual = (texts: readonly string[]): boolean => texts.every((t) => t === texts[0]);
