// Above every screen of `pawl dev`, while the code on disk does not load: what is wrong, with the lines around it. The code before it keeps running.
// A server without a supervisor never shows it.
import type { JSX } from "preact";
import { devMark, type DevState } from "../data/dev.ts";
import { useLoad } from "../data/load.ts";
import { dev } from "../data/server.ts";
import { Plain } from "../parts/text.tsx";

const lookMs = 1_000;

export function DevBanner(): JSX.Element | null {
  return devMark.value?.failed === true ? <LoadProblem /> : null;
}

function LoadProblem(): JSX.Element | null {
  const { value } = useLoad("dev problem", (signal) => dev<DevState>("state", {}, signal), lookMs);
  if (value === undefined || value.problem === null) return null;
  return (
    <div class="problem dev-problem" role="alert">
      <p>
        <strong>{value.problem.code}: the code on disk does not load.</strong>{" "}
        {value.serving === null ? "Nothing runs until it does." : "The code before the change keeps running."}
      </p>
      <pre>
        <Plain text={value.problem.message} max={4_000} />
      </pre>
    </div>
  );
}
