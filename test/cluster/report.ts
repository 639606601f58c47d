// The report of a cluster test. A check passes, or says what is wrong: a race (something happened twice, or an answer was stale), corruption (something is
// lost, or a log does not hold together), or a failure of the machine (nobody answered in time). Only the last kind is tried again: if it passes then, it
// is intermittent. What a cluster cannot show is skipped with its reason.

export interface ClusterProblem {
  readonly kind: "race" | "corruption" | "failed";
  readonly what: string;
  /** Which of the check's questions it answers, where it asks several: is the work shared, is every answer the newest? */
  readonly about?: "spread" | "stale";
}
export interface ClusterCheck {
  readonly name: string;
  /** Why it is skipped. */
  readonly skip?: string;
  /** How many things it looked at, and what is wrong with them. */
  run(): Promise<{ readonly looked: number; readonly said: string; readonly problems: readonly ClusterProblem[] }>;
}
export interface CheckLine {
  readonly name: string;
  readonly passed: number;
  readonly intermittent: number;
  readonly skipped: number;
  readonly failed: number;
  readonly races: number;
  readonly corruption: number;
  readonly said: string;
  readonly problems: readonly ClusterProblem[];
}

export async function runChecks(
  checks: readonly ClusterCheck[],
  say: (text: string) => void,
  only?: readonly string[],
): Promise<CheckLine[]> {
  const lines: CheckLine[] = [];
  const none = { passed: 0, intermittent: 0, skipped: 0, failed: 0, races: 0, corruption: 0, problems: [] };
  for (const check of checks) {
    if (only !== undefined && !only.includes(check.name)) continue;
    if (check.skip !== undefined) {
      lines.push({ ...none, name: check.name, skipped: 1, said: check.skip });
      continue;
    }
    const from = Date.now();
    let result = await tryCheck(check);
    const again = result.problems.length > 0 && result.problems.every((p) => p.kind === "failed");
    if (again) {
      say(`${check.name}: ${result.problems[0]!.what}; once more`);
      result = await tryCheck(check);
    }
    const count = (kind: ClusterProblem["kind"]): number => result.problems.filter((p) => p.kind === kind).length;
    const [failed, races, corruption] = [count("failed"), count("race"), count("corruption")];
    const isGood = result.problems.length === 0;
    for (const p of result.problems.slice(0, 10)) say(`  ${p.kind.toUpperCase()} ${p.what}`);
    const line = {
      name: check.name,
      passed: isGood && !again ? result.looked : 0,
      intermittent: isGood && again ? 1 : 0,
      skipped: 0,
      failed,
      races,
      corruption,
      said: result.said,
      problems: result.problems,
    };
    lines.push(line);
    say(`${check.name}: ${isGood ? "passed" : "FAILED"}; ${result.said}; ${Math.round((Date.now() - from) / 1_000)} s`);
  }
  return lines;
}

async function tryCheck(check: ClusterCheck): Promise<Awaited<ReturnType<ClusterCheck["run"]>>> {
  try {
    return await check.run();
  } catch (e) {
    return {
      looked: 0,
      said: "it could not be carried out",
      problems: [{ kind: "failed", what: e instanceof Error ? e.message : String(e) }],
    };
  }
}

export function reportTable(lines: readonly CheckLine[]): string {
  const row = (cells: readonly (string | number)[]): string => `| ${cells.join(" | ")} |`;
  const sum = (f: (l: CheckLine) => number): number => lines.reduce((n, l) => n + f(l), 0);
  const cells = (name: string, f: (of: (l: CheckLine) => number) => number, said: string): string =>
    row([
      name,
      f((l) => l.passed),
      f((l) => l.intermittent),
      f((l) => l.skipped),
      f((l) => l.failed),
      f((l) => l.races),
      f((l) => l.corruption),
      said,
    ]);
  return [
    row(["check", "passed", "intermittent", "skipped", "failed", "races", "corruption", "seen"]),
    "|---|---|---|---|---|---|---|---|",
    ...lines.map((l) => cells(l.name, (of) => of(l), l.said)),
    cells("all", sum, ""),
  ].join("\n");
}
