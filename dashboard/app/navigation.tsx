// The places of the dashboard, and the reader's own corner: who they are, the theme, help, signing out. The number beside Decisions is how many wait.
// It must never show a place that the caller may not open.
import type { JSX } from "preact";
import { useLoad } from "../data/load.ts";
import { route } from "../data/route.ts";
import { call } from "../data/server.ts";
import { may, me, signOut } from "../data/session.ts";
import { theme, type Theme } from "../data/settings.ts";
import { Mark } from "../parts/mark.tsx";
import { Plain } from "../parts/text.tsx";
import { isHere, openHelp } from "./keys.tsx";
import { navigationPlaces } from "./places.ts";

const themes: readonly Theme[] = ["system", "light", "dark"];
const decisionsMs = 15_000;

export function Navigation(): JSX.Element {
  const at = route.value.path[0] ?? "runs";
  return (
    <nav class="navigation" aria-label="Places">
      <a class="brand" href="#/runs">
        <Mark /> Pawl
      </a>
      <ul>
        {navigationPlaces.filter(isHere).map(({ path, title }) => (
          <li key={path}>
            <a href={`#/${path}`} {...(at === path ? { "aria-current": "page" } : {})}>
              {title}
              {path === "decisions" ? <Waiting /> : null}
            </a>
          </li>
        ))}
      </ul>
      <Corner />
    </nav>
  );
}

function Waiting(): JSX.Element | null {
  const { value } = useLoad("decisions waiting", (signal) => call("decisions.list", { limit: 100 }, { signal }), decisionsMs);
  const n = value?.items.length ?? 0;
  return n === 0 ? null : (
    <span class="count" title={`${n} wait for a person`}>
      {n >= 100 ? "100+" : n}
    </span>
  );
}

function Corner(): JSX.Element {
  const who = me.value;
  return (
    <div class="corner">
      {who === undefined ? null : (
        <p class="quiet small" title={`${who.principal.kind}; may: ${who.scopes.join(", ")}`}>
          <Plain text={who.principal.subject} max={40} />
          <br />
          <span class="faint">
            <Plain text={who.tenant} max={60} />
          </span>
        </p>
      )}
      <label class="small">
        Theme{" "}
        <select value={theme.value} onChange={(e) => (theme.value = e.currentTarget.value as Theme)}>
          {themes.map((name) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <div class="row">
        <button type="button" class="small quiet-button" onClick={openHelp}>
          Keys
        </button>
        {who?.tokenId === undefined ? null : (
          <button type="button" class="small quiet-button" onClick={() => void signOut()}>
            Sign out
          </button>
        )}
      </div>
      {may("read") ? null : <p class="small">This token may not read runs.</p>}
    </div>
  );
}
