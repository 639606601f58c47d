// Something for all runs that match: what, why, how many at most, and first a preview that says how many match and names some. Only what was previewed is ordered; the
// order is recorded, worked off by an engine or a server, and can be stopped.
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { BatchAction, BatchView } from "../../../src/api/types/operate.ts";
import type { RunFilter } from "../../../src/api/types/run.ts";
import type { PawlError } from "../../../src/errors/error.ts";
import { problemOf } from "../../data/load.ts";
import { goTo } from "../../data/route.ts";
import { call } from "../../data/server.ts";
import { may } from "../../data/session.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { Problem } from "../../parts/problem.tsx";
import { Id, Plain } from "../../parts/text.tsx";

const actions: readonly BatchAction[] = ["retry", "pause", "resume", "cancel", "terminate"];
const texts: Readonly<Record<BatchAction, string>> = {
  retry: "Each run that has ended gets a new run in its place; what completed is kept.",
  pause: "Steps that are at work finish; nothing further begins.",
  resume: "Each continues where it stopped.",
  cancel: "Each is undone by its compensations, then ends.",
  terminate: "Each ends at once. No compensation runs.",
};
const most = 1_000;
const shownRuns = 5;

export function BatchButton({
  filter,
  words,
}: {
  readonly filter: Omit<RunFilter, "limit" | "cursor">;
  readonly words: readonly string[];
}): JSX.Element | null {
  const [open, setOpen] = useState(false);
  if (!may("operate")) return null;
  return (
    <>
      <button
        type="button"
        disabled={words.length > 0}
        title={
          words.length > 0
            ? "Words are looked for on this page only: a batch takes members of the filter"
            : "Act on all runs that match the filter"
        }
        onClick={() => setOpen(true)}
      >
        Act on all that match …
      </button>
      {open ? <BatchDialog filter={filter} onClose={() => setOpen(false)} /> : null}
    </>
  );
}

/** By what people call them: their business ids. */
function namesOf(runIds: readonly string[]): Promise<(readonly [string, string])[]> {
  return Promise.all(
    runIds.map((id) =>
      call("runs.get", { id }).then(
        ({ workflowId }) => [id, workflowId] as const,
        () => [id, ""] as const,
      ),
    ),
  );
}

function BatchDialog({
  filter,
  onClose,
}: {
  readonly filter: Omit<RunFilter, "limit" | "cursor">;
  readonly onClose: () => void;
}): JSX.Element {
  const [action, setAction] = useState<BatchAction>("retry");
  const [reason, setReason] = useState("");
  const [preview, setPreview] = useState<BatchView | undefined>(undefined);
  const [error, setError] = useState<PawlError | undefined>(undefined);
  const [busy, setBusy] = useState(false);
  const [named, setNamed] = useState<readonly (readonly [id: string, name: string])[]>([]);
  const ask = async (dryRun: boolean): Promise<void> => {
    setBusy(true);
    setError(undefined);
    try {
      const batch = await call("batches.create", { filter, action, reason: reason.trim(), max: most, ...(dryRun ? { dryRun } : {}) });
      if (dryRun) {
        setNamed(await namesOf((batch.sample ?? []).slice(0, shownRuns)));
        setPreview(batch);
      } else goTo(["operations", "batches"]);
    } catch (e) {
      setError(problemOf(e));
    } finally {
      setBusy(false);
    }
  };
  const submit = (e: Event): void => {
    e.preventDefault();
    void ask(preview === undefined);
  };
  const matches = preview?.matches ?? 0;
  return (
    <Dialog title="Act on all runs that match" onClose={onClose}>
      <form onSubmit={submit}>
        <label>
          Do{" "}
          <select
            value={action}
            onChange={(e) => {
              setAction(e.currentTarget.value as BatchAction);
              setPreview(undefined);
            }}
          >
            {actions.map((a) => (
              <option key={a} value={a}>
                {a}
              </option>
            ))}
          </select>
        </label>
        <p class="quiet small">{texts[action]}</p>
        <label>
          Reason
          <textarea required value={reason} maxLength={1_000} onInput={(e) => setReason(e.currentTarget.value)} />
        </label>
        {error === undefined ? null : <Problem error={error} />}
        {preview === undefined ? null : (
          <div role="status" class="preview">
            <p>
              <strong>
                {matches >= most
                  ? `${most.toLocaleString("en")} or more runs match`
                  : matches === 1
                    ? "1 run matches"
                    : `${matches} runs match`}
              </strong>
              {matches >= most ? `; a batch takes ${most.toLocaleString("en")} at most` : ""}. Among them:
            </p>
            <ul class="plain-list small">
              {named.map(([id, name]) => (
                <li key={id}>
                  <Plain text={name} max={100} /> <Id text={id} />
                </li>
              ))}
            </ul>
          </div>
        )}
        <div class="actions">
          <button type="button" onClick={onClose}>
            Do nothing
          </button>
          <button
            type="submit"
            class={preview !== undefined && (action === "terminate" || action === "cancel") ? "danger" : "primary"}
            disabled={busy || reason.trim() === "" || (preview !== undefined && matches === 0)}
          >
            {busy ? "Asking …" : preview === undefined ? "Preview" : `${action} ${matches === 1 ? "1 run" : `${matches} runs`}`}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
