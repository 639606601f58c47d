// Doing something that changes a run: a button, a dialog that says what follows, a reason, and a second button. Nothing destructive happens by one key, and the
// reason is recorded with the caller's name. It must never send before it was asked.
import type { ComponentChildren, JSX } from "preact";
import { useState } from "preact/hooks";
import type { PawlError } from "../../src/errors/error.ts";
import { problemOf } from "../data/load.ts";
import { Dialog } from "./dialog.tsx";
import { Problem } from "./problem.tsx";
import { Plain } from "./text.tsx";

export interface ActProps {
  /** On the button that opens the dialog. */
  readonly label: string;
  readonly title: string;
  readonly children?: ComponentChildren;
  /** On the button that does it. */
  readonly verb: string;
  readonly danger?: boolean;
  /** A reason is needed, wished for, or not asked for. */
  readonly reason?: "needed" | "optional" | "none";
  readonly disabled?: boolean;
  readonly primary?: boolean;
  /** What it answers is said to the reader; nothing closes the dialog at once. */
  readonly act: (reason: string) => Promise<string | void>;
}

export function Act(p: ActProps): JSX.Element {
  const [open, setOpen] = useState(false);
  return (
    <>
      <button type="button" class={p.primary === true ? "primary" : ""} disabled={p.disabled === true} onClick={() => setOpen(true)}>
        {p.label}
      </button>
      {open ? <ActDialog {...p} onClose={() => setOpen(false)} /> : null}
    </>
  );
}

export function ActDialog(p: ActProps & { readonly onClose: () => void }): JSX.Element {
  const [reason, setReason] = useState("");
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<PawlError | undefined>(undefined);
  const [said, say] = useState<string | undefined>(undefined);
  const asks = p.reason ?? "needed";
  const submit = async (e: Event): Promise<void> => {
    e.preventDefault();
    setBusy(true);
    setError(undefined);
    try {
      const answer = await p.act(reason.trim());
      if (answer === undefined) return p.onClose();
      say(answer);
    } catch (thrown) {
      setError(problemOf(thrown));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Dialog title={p.title} onClose={p.onClose}>
      {said !== undefined ? (
        <div role="status">
          <p>
            <Plain text={said} max={2_000} />
          </p>
          <div class="actions">
            <button type="button" class="primary" onClick={p.onClose}>
              Close
            </button>
          </div>
        </div>
      ) : (
        <form onSubmit={(e) => void submit(e)}>
          {p.children}
          {asks === "none" ? null : (
            <label>
              Reason{asks === "optional" ? " (if there is one)" : ""}
              <textarea required={asks === "needed"} maxLength={1_000} value={reason} onInput={(e) => setReason(e.currentTarget.value)} />
            </label>
          )}
          {error === undefined ? null : <Problem error={error} />}
          <div class="actions">
            <button type="button" onClick={p.onClose}>
              Do nothing
            </button>
            <button
              type="submit"
              class={p.danger === true ? "danger" : "primary"}
              disabled={busy || (asks === "needed" && reason.trim() === "")}
            >
              {busy ? "Asking …" : p.verb}
            </button>
          </div>
        </form>
      )}
    </Dialog>
  );
}
