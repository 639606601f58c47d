// Where the boxes of a DAG go: each step one layer to the right of the last step that it needs, the layers filled from the top, each step near what it needs. Simple
// on purpose: 5,000 steps take milliseconds. Pure, so that it runs in a worker and on the page alike.
export interface PlanNode {
  readonly id: string;
  readonly needs: readonly string[];
  /** Where it stands, in the server's word. */
  readonly state: string;
}

export interface PlacedPlan {
  readonly width: number;
  readonly height: number;
  readonly nodes: readonly { readonly id: string; readonly state: string; readonly x: number; readonly y: number }[];
  readonly edges: readonly { readonly x1: number; readonly y1: number; readonly x2: number; readonly y2: number }[];
}

const [boxWidth, boxHeight, gapX, gapY] = [132, 30, 56, 10];

export function layOut(nodes: readonly PlanNode[]): PlacedPlan {
  const byId = new Map(nodes.map((n) => [n.id, n]));
  const layers = layersOf(nodes, byId);
  const columns: PlanNode[][] = [];
  for (const n of nodes) (columns[layers.get(n.id)!] ??= []).push(n);
  const at = new Map<string, { readonly x: number; readonly y: number }>();
  const tallest = Math.max(...columns.map((c) => c.length));
  columns.forEach((column, layer) => {
    const near = (n: PlanNode): number => {
      const ys = n.needs.flatMap((id) => at.get(id)?.y ?? []);
      return ys.length === 0 ? 0 : ys.reduce((a, b) => a + b, 0) / ys.length;
    };
    const top = ((tallest - column.length) * (boxHeight + gapY)) / 2;
    const ordered = column.map((n) => [near(n), n] as const).toSorted((a, b) => a[0] - b[0]);
    ordered.forEach(([, n], i) => at.set(n.id, { x: layer * (boxWidth + gapX) + 4, y: top + i * (boxHeight + gapY) + 4 }));
  });
  return {
    width: columns.length * (boxWidth + gapX) - gapX + 8,
    height: tallest * (boxHeight + gapY) - gapY + 8,
    nodes: nodes.map((n) => ({ id: n.id, state: n.state, ...at.get(n.id)! })),
    edges: nodes.flatMap((n) =>
      n.needs.flatMap((id) => {
        const from = at.get(id);
        const to = at.get(n.id)!;
        return from === undefined ? [] : [{ x1: from.x + boxWidth, y1: from.y + boxHeight / 2, x2: to.x, y2: to.y + boxHeight / 2 }];
      }),
    ),
  };
}

/** The longest way to each step. A cycle, which a plan never has, ends at the step that closes it. */
function layersOf(nodes: readonly PlanNode[], byId: ReadonlyMap<string, PlanNode>): ReadonlyMap<string, number> {
  const layers = new Map<string, number>();
  const open = new Set<string>();
  for (const first of nodes) {
    const stack = [first.id];
    while (stack.length > 0) {
      const id = stack.at(-1)!;
      const needs = (byId.get(id)?.needs ?? []).filter((n) => byId.has(n));
      const unknown = layers.has(id) ? [] : needs.filter((n) => !layers.has(n) && !open.has(n));
      if (unknown.length > 0) {
        open.add(id);
        stack.push(...unknown);
        continue;
      }
      stack.pop();
      open.delete(id);
      if (!layers.has(id)) layers.set(id, Math.max(-1, ...needs.map((n) => layers.get(n) ?? -1)) + 1);
    }
  }
  return layers;
}
