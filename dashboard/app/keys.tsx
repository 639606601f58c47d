// Keys for everything that one does often: going somewhere, finding the filter, help. Single keys can be turned off, never act while somebody types, and
// never change anything: what changes a run is a button that asks.
import type { JSX } from "preact";
import { signal } from "@preact/signals";
import { devMark } from "../data/dev.ts";
import { goTo } from "../data/route.ts";
import { singleKeys } from "../data/settings.ts";
import { Dialog } from "../parts/dialog.tsx";
import { navigationPlaces, type NavigationPlace } from "./places.ts";

const helpOpen = signal(false);
export function openHelp(): void {
  helpOpen.value = true;
}

/** What only `pawl dev` has is not here on another server. */
export function isHere({ dev }: NavigationPlace): boolean {
  return dev !== true || devMark.value !== undefined;
}

const chordMs = 1_500;

export function listenForKeys(): () => void {
  let goingSince = Number.NEGATIVE_INFINITY;
  const pressed = (e: KeyboardEvent): void => {
    if (singleKeys.value === "off" || e.ctrlKey || e.metaKey || e.altKey || isTyping(e.target)) return;
    if (document.querySelector("dialog[open]") !== null) return;
    if (e.timeStamp - goingSince < chordMs) {
      goingSince = Number.NEGATIVE_INFINITY;
      const place = navigationPlaces.find((p) => p.key === e.key && isHere(p));
      if (place !== undefined) {
        e.preventDefault();
        goTo([place.path]);
      }
      return;
    }
    if (e.key === "g") goingSince = e.timeStamp;
    else if (e.key === "?") openHelp();
    else if (e.key === "/") {
      const filter = document.querySelector<HTMLElement>("[data-filter]");
      if (filter !== null) {
        e.preventDefault();
        filter.focus();
      }
    }
  };
  addEventListener("keydown", pressed);
  return () => removeEventListener("keydown", pressed);
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));
}

export function Help(): JSX.Element | null {
  if (!helpOpen.value) return null;
  return (
    <Dialog title="Keys" onClose={() => (helpOpen.value = false)}>
      <table class="keys">
        <tbody>
          {navigationPlaces.filter(isHere).map(({ key, title }) => (
            <tr key={key}>
              <td>
                <kbd>g</kbd> <kbd>{key}</kbd>
              </td>
              <td>{title}</td>
            </tr>
          ))}
          <tr>
            <td>
              <kbd>/</kbd>
            </td>
            <td>Filter or search</td>
          </tr>
          <tr>
            <td>
              <kbd>↑</kbd> <kbd>↓</kbd> or <kbd>k</kbd> <kbd>j</kbd>
            </td>
            <td>Through a list; Enter opens</td>
          </tr>
          <tr>
            <td>
              <kbd>?</kbd>
            </td>
            <td>This page</td>
          </tr>
        </tbody>
      </table>
      <label>
        <input
          type="checkbox"
          checked={singleKeys.value === "on"}
          onChange={(e) => (singleKeys.value = e.currentTarget.checked ? "on" : "off")}
        />{" "}
        Single keys act
      </label>
    </Dialog>
  );
}
