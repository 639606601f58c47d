// A list of any length of which only the part in view is on the page. Rows have one height, so nothing is measured and nothing moves while it is read; that
// is also why no package does this: one for rows of any height weighs more than the rest of the first screen. It must never draw rows that nobody can see.
import { useLayoutEffect, useReducer, useRef, useState } from "preact/hooks";

export interface VirtualRow {
  readonly index: number;
  /** Its distance from the beginning of the list, in pixels. */
  readonly start: number;
}

export interface VirtualRows {
  readonly rows: readonly VirtualRow[];
  readonly totalPx: number;
  /** The element that scrolls. */
  readonly attach: (element: HTMLElement | null) => void;
  reveal(index: number): void;
}

/** Rows before and after the visible ones, so that a slow frame shows no gap. */
const besideMax = 8;

export function useVirtualRows(count: number, rowPx: number): VirtualRows {
  const [scroller, attach] = useState<HTMLElement | null>(null);
  const [, show] = useReducer((n: number) => n + 1, 0);
  const seen = useRef({ top: 0, height: 0 });
  useLayoutEffect(() => {
    if (scroller === null) return undefined;
    const look = (): void => {
      const { top, height } = seen.current;
      if (top === scroller.scrollTop && height === scroller.clientHeight) return;
      seen.current = { top: scroller.scrollTop, height: scroller.clientHeight };
      show(undefined as never);
    };
    const sizes = new ResizeObserver(look);
    sizes.observe(scroller);
    scroller.addEventListener("scroll", look, { passive: true });
    look();
    return () => {
      sizes.disconnect();
      scroller.removeEventListener("scroll", look);
    };
  }, [scroller]);
  const { top, height } = seen.current;
  const first = Math.max(0, Math.floor(top / rowPx) - besideMax);
  const last = Math.min(count, Math.ceil((top + height) / rowPx) + besideMax);
  const rows = Array.from({ length: Math.max(0, last - first) }, (_, i) => ({ index: first + i, start: (first + i) * rowPx }));
  return {
    rows,
    totalPx: count * rowPx,
    attach,
    reveal: (index) => {
      if (scroller === null) return;
      const start = index * rowPx;
      if (start < scroller.scrollTop) scroller.scrollTop = start;
      else if (start + rowPx > scroller.scrollTop + scroller.clientHeight) scroller.scrollTop = start + rowPx - scroller.clientHeight;
    },
  };
}
