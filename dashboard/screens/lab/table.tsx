// The table of `pawl crashtest`, as far as the crash lab has filled it: a row per step, a column per window, the newest trial in each cell. Below it each broken
// promise with what to change. Colour never says anything alone.
import type { JSX } from "preact";
import type { DevCell, DevTrial } from "../../data/dev.ts";
import { Badge } from "../../parts/badges.tsx";
import { Plain, stepText } from "../../parts/text.tsx";

const windows = ["A", "B", "C", "D", "E"] as const;
const times = (n: number): string => ["never", "once", "twice"][n] ?? `${n} times`;

export function LabTable({ trials }: { readonly trials: readonly DevTrial[] }): JSX.Element | null {
  const cells = new Map<string, DevCell>();
  for (const t of trials) for (const c of t.cells) if (c.cause === c.step) cells.set(`${c.step} ${c.window}`, c);
  const steps = [...new Set([...cells.values()].map((c) => c.step))];
  if (steps.length === 0) return null;
  const broken = [...cells.values()].filter((c) => !c.ok);
  return (
    <>
      <table class="lab-table">
        <thead>
          <tr>
            <th>Step</th>
            <th>Class</th>
            {windows.map((w) => (
              <th key={w}>{w}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {steps.map((step) => (
            <tr key={step}>
              <th scope="row">
                <Plain text={stepText(step)} max={80} />
              </th>
              <td>{[...cells.values()].find((c) => c.step === step)?.class?.toLowerCase() ?? "wait"}</td>
              {windows.map((w) => (
                <td key={w}>
                  <Cell cell={cells.get(`${step} ${w}`)} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {broken.map((c) => (
        <div class="problem" key={`${c.step} ${c.window}`}>
          <p>
            <Plain text={stepText(c.why ?? "the count is wrong")} max={600} /> (killed in <Plain text={stepText(c.step)} max={120} />,
            window {c.window})
          </p>
          {c.fix === undefined ? null : (
            <p>
              <Plain text={c.fix} max={600} />
            </p>
          )}
        </div>
      ))}
    </>
  );
}

function Cell({ cell }: { readonly cell: DevCell | undefined }): JSX.Element {
  if (cell === undefined) return <span class="faint">·</span>;
  if (!cell.ok) return <Badge tone="bad" text={`✘ ${times(cell.count)}`} />;
  if (cell.end === "decision") return <Badge tone="warn" text={`? ${times(cell.count)}, asks`} />;
  return <Badge tone="good" text={`✔ ${times(cell.count)}`} />;
}
