// Which screen an address means. Each is loaded when it is first opened; a screen that fails to draw says so and leaves the rest of the page alone.
// To add a screen: a line here, and one in navigation.tsx where it has a place of its own.
import { Component, type ComponentChildren, type ComponentType, type JSX } from "preact";
import { useEffect, useLayoutEffect, useState } from "preact/hooks";
import { problemOf } from "../data/load.ts";
import { route } from "../data/route.ts";
import { Empty, Loading } from "../parts/empty.tsx";
import { Problem } from "../parts/problem.tsx";
import { Runs } from "../screens/runs/runs.tsx";

/** A screen, with the ids of its address. */
export type ScreenProps = { readonly ids: readonly string[] };
type ScreenType = ComponentType<ScreenProps>;

interface Place {
  readonly title: string;
  readonly load: () => ScreenType | Promise<ScreenType>;
}

const places: Readonly<Record<string, Place>> = {
  runs: { title: "Runs", load: () => Runs },
  decisions: { title: "Decisions", load: async () => (await import("../screens/decisions/decisions.tsx")).Decisions },
  effects: { title: "Effects", load: async () => (await import("../screens/effects/effects.tsx")).Effects },
  operations: { title: "Operations", load: async () => (await import("../screens/operations/operations.tsx")).Operations },
  overview: { title: "Overview", load: async () => (await import("../screens/overview/overview.tsx")).Overview },
  api: { title: "API", load: async () => (await import("../screens/api/api.tsx")).Api },
  lab: { title: "Crash lab", load: async () => (await import("../screens/lab/lab.tsx")).Lab },
  errors: { title: "Error", load: async () => (await import("../screens/api/error-page.tsx")).ErrorPage },
};

/** Of a run: #/runs/<id>/<view>. */
const runPlaces: Readonly<Record<string, Place>> = {
  "": { title: "Run", load: async () => (await import("../screens/run/run.tsx")).Run },
  proof: { title: "Proof", load: async () => (await import("../screens/proof/proof.tsx")).Proof },
  retry: { title: "Retry preview", load: async () => (await import("../screens/retry/retry.tsx")).Retry },
};

function placeOf(path: readonly string[]): { readonly key: string; readonly place: Place | undefined; readonly ids: readonly string[] } {
  const [first = "runs", id, view = "", ...more] = path;
  if (first === "runs" && id !== undefined) return { key: `runs/*/${view}`, place: runPlaces[view], ids: [id, ...more] };
  return { key: first, place: Object.hasOwn(places, first) ? places[first] : undefined, ids: path.slice(1) };
}

/** The first screen comes with the page. */
const loaded = new Map<string, ScreenType>([["runs", Runs]]);

export function Screen(): JSX.Element {
  const { key, place, ids } = placeOf(route.value.path);
  const [, show] = useState(0);
  const [failed, fail] = useState<unknown>(undefined);
  const found = loaded.get(key);
  useEffect(() => {
    document.title = `${place?.title ?? "Nothing here"}${ids[0] === undefined ? "" : ` · ${ids[0].slice(0, 80)}`} · Pawl`;
  });
  // Before the page is painted: a screen that is not here yet is asked for at once.
  useLayoutEffect(() => {
    fail(undefined);
    if (place === undefined || loaded.has(key)) return;
    Promise.resolve(place.load()).then(
      (type) => {
        loaded.set(key, type);
        show((n) => n + 1);
      },
      (e: unknown) => fail(e),
    );
  }, [key]);
  if (place === undefined)
    return (
      <Empty title="There is nothing at this address">
        <p>
          Begin with the <a href="#/runs">runs</a>.
        </p>
      </Empty>
    );
  if (failed !== undefined) return <Problem error={problemOf(failed)} again={() => location.reload()} />;
  if (found === undefined) return <Loading what={place.title.toLowerCase()} />;
  const Found = found;
  return (
    <Fence key={`${key} ${ids.join("/")}`}>
      <Found ids={ids} />
    </Fence>
  );
}

class Fence extends Component<{ readonly children: ComponentChildren }, { readonly error?: unknown }> {
  override state: { readonly error?: unknown } = {};
  static override getDerivedStateFromError(error: unknown): { readonly error: unknown } {
    return { error };
  }
  override render(): ComponentChildren {
    const { error } = this.state;
    return error === undefined ? this.props.children : <Problem error={problemOf(error)} again={() => location.reload()} />;
  }
}
