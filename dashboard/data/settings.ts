// What a reader chose for this browser: the theme, and whether single keys act. Nothing about runs is kept here, and a browser that refuses to keep
// anything loses nothing else.
import { effect, signal, type Signal } from "@preact/signals";

export type Theme = "system" | "light" | "dark";

function kept<T extends string>(name: string, known: readonly T[]): Signal<T> {
  let found: string | null = null;
  try {
    found = localStorage.getItem(`pawl ${name}`);
  } catch {
    // Refused: the default is used.
  }
  const chosen = signal<T>(known.find((k) => k === found) ?? known[0]!);
  effect(() => {
    const { value } = chosen;
    try {
      localStorage.setItem(`pawl ${name}`, value);
    } catch {
      // Refused: it holds for this page.
    }
  });
  return chosen;
}

export const theme: Signal<Theme> = kept("theme", ["system", "light", "dark"]);
export const singleKeys: Signal<"on" | "off"> = kept("keys", ["on", "off"]);

effect(() => {
  if (theme.value === "system") delete document.documentElement.dataset["theme"];
  else document.documentElement.dataset["theme"] = theme.value;
});
