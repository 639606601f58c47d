// The places that stand in the navigation, in this order, and the key that opens each after "g". Data only.
// Screens of one run are reached from their run and are not listed.
export interface NavigationPlace {
  readonly path: string;
  readonly title: string;
  readonly key: string;
  /** With `pawl dev` only. */
  readonly dev?: true;
}

export const navigationPlaces: readonly NavigationPlace[] = [
  { path: "overview", title: "Overview", key: "o" },
  { path: "runs", title: "Runs", key: "r" },
  { path: "decisions", title: "Decisions", key: "d" },
  { path: "effects", title: "Effects", key: "e" },
  { path: "operations", title: "Operations", key: "p" },
  { path: "api", title: "API", key: "a" },
  { path: "lab", title: "Crash lab", key: "c", dev: true },
];
