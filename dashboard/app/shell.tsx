// The frame of every screen: where one can go, who one is, whether the server answers. While nobody is signed in it shows how to sign in, and the view that
// was asked for comes back afterwards.
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { reachable } from "../data/server.ts";
import { route } from "../data/route.ts";
import { sessionState } from "../data/session.ts";
import { DevBanner } from "./dev-banner.tsx";
import { Help, listenForKeys } from "./keys.tsx";
import { Navigation } from "./navigation.tsx";
import { Screen } from "./screen.tsx";
import { SignIn } from "./sign-in.tsx";

export function Shell(): JSX.Element {
  useEffect(listenForKeys, []);
  if (sessionState.value === "starting") return <p class="loading page">Opening …</p>;
  if (sessionState.value !== "in") return <SignIn />;
  return (
    <div class="shell">
      <a class="skip" href="#main" onClick={skip}>
        Skip to the content
      </a>
      <Navigation />
      <Main />
      <Help />
    </div>
  );
}

function skip(e: Event): void {
  e.preventDefault();
  document.getElementById("main")?.focus();
}

function Main(): JSX.Element {
  const main = useRef<HTMLElement>(null);
  const first = useRef(true);
  const at = route.value.path.join("/");
  useEffect(() => {
    // A reader who goes somewhere begins at its beginning; the first view leaves the focus alone.
    if (!first.current) main.current?.focus({ preventScroll: true });
    first.current = false;
  }, [at]);
  return (
    <main id="main" tabIndex={-1} ref={main}>
      {reachable.value ? null : (
        <p class="offline" role="status">
          The server does not answer. What you see is what it said last; this page tries again by itself.
        </p>
      )}
      <DevBanner />
      <Screen />
    </main>
  );
}
