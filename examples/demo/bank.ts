// A bank in a file: the outside world of the demo. It appends every request and every charge, and deduplicates charges by key, as
// payment providers do. The engine never reads this file, so the file is an independent witness.
import { appendFileSync, existsSync, readFileSync } from "node:fs";

export interface Charge {
  readonly chargeId: string;
  readonly key: string;
  readonly cents: number;
}
type Line = { readonly asked: "charge" | "lookup"; readonly key: string } | { readonly charged: Charge };

export function bank(file: string) {
  const lines = (): Line[] =>
    existsSync(file)
      ? readFileSync(file, "utf8")
          .split("\n")
          .filter((l) => l !== "")
          .map((l) => JSON.parse(l) as Line)
      : [];
  const write = (line: Line): void => appendFileSync(file, `${JSON.stringify(line)}\n`);
  const charges = (): Charge[] => lines().flatMap((l) => ("charged" in l ? [l.charged] : []));
  const find = (key: string): Charge | undefined => charges().find((c) => c.key === key);
  return {
    charges,
    asked: (what: "charge" | "lookup"): number => lines().filter((l) => "asked" in l && l.asked === what).length,
    async charge(key: string, cents: number): Promise<Charge> {
      write({ asked: "charge", key });
      const known = find(key);
      if (known !== undefined) return known;
      const charged = { chargeId: `ch_${charges().length + 1}`, key, cents };
      write({ charged });
      return charged;
    },
    async lookup(key: string): Promise<Charge | undefined> {
      write({ asked: "lookup", key });
      return find(key);
    },
  };
}
