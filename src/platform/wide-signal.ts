// A signal that any number of waits listen to: the calls of one batch share that of their request. Node warns of a leak at the eleventh listener of a
// signal; here there is none.
import { setMaxListeners } from "node:events";

export function wideAbortController(): AbortController {
  const controller = new AbortController();
  setMaxListeners(0, controller.signal);
  return controller;
}
