// What a view shows when there is nothing to show: why, and what would put something here, with a command that can be copied.
// It must never look like an error.
import type { ComponentChildren, JSX } from "preact";

export function Empty({ title, children }: { readonly title: string; readonly children?: ComponentChildren }): JSX.Element {
  return (
    <div class="empty">
      <h2>{title}</h2>
      {children}
    </div>
  );
}

export function Loading({ what }: { readonly what: string }): JSX.Element {
  return (
    <p class="loading" role="status">
      Reading {what} …
    </p>
  );
}
