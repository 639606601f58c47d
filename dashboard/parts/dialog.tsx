// A dialog: the browser's own, so that the focus stays inside, Escape closes it and screen readers announce it. Closing never does anything.
// What it asks for is given by its button alone.
import type { ComponentChildren, JSX } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";

export interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

export function Dialog({ title, onClose, children }: DialogProps): JSX.Element {
  const own = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const before = document.activeElement;
    const element = own.current!;
    element.showModal();
    return () => {
      element.close();
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  return (
    <dialog ref={own} aria-labelledby={id} onCancel={onClose}>
      <header>
        <h2 id={id}>{title}</h2>
        <button type="button" class="quiet-button" aria-label="Close" onClick={onClose}>
          ✕
        </button>
      </header>
      {children}
    </dialog>
  );
}
