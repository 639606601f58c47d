// The sign of Pawl: a catch above a row of teeth.
// It says nothing that the word beside it does not say.
import type { JSX } from "preact";

export function Mark(): JSX.Element {
  return (
    <svg class="mark" viewBox="0 0 32 32" width="22" height="22" aria-hidden="true">
      <rect width="32" height="32" rx="7" fill="#12443f" />
      <path
        d="M7 22h18M9 22l3-5 3 5 3-5 3 5"
        fill="none"
        stroke="#8fe0cd"
        stroke-width="2.4"
        stroke-linejoin="round"
        stroke-linecap="round"
      />
      <path d="M10 9l9 5.5" stroke="#fff" stroke-width="3" stroke-linecap="round" />
      <circle cx="9.5" cy="8.7" r="2.4" fill="#fff" />
    </svg>
  );
}
