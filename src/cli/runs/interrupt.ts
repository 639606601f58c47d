// Ctrl-C: the first asks the running work to end in order, the second ends the process at once. A waiting command races
// against `asked` and gives the listener back when done.
import { exit, onInterrupt } from "../../platform/terminal.ts";
import { exitCodes } from "../output/report-error.ts";

export interface Interrupt {
  readonly requested: Promise<"interrupted">;
  readonly happened: () => boolean;
  stopListening(): void;
}

export function listenForInterrupt(): Interrupt {
  let happened = false;
  let tell: (v: "interrupted") => void = () => {};
  const asked = new Promise<"interrupted">((resolve) => (tell = resolve));
  const end = onInterrupt(() => {
    if (happened) exit(exitCodes.interrupted);
    happened = true;
    tell("interrupted");
  });
  return { requested: asked, happened: () => happened, stopListening: end };
}
