// Asking before something that cannot be undone. Only a person at a terminal is asked: a script has said so by calling.
// Anything but a yes is a no.
import { isTty, readLine, writeErr } from "../../platform/terminal.ts";
import type { YesOption } from "../shared-options.ts";

export async function askConfirmation(o: YesOption, question: string): Promise<boolean> {
  if (o.yes === true || !isTty("in") || !isTty("err")) return true;
  writeErr(`${question} [y/N] `);
  return /^y(es)?$/i.test(((await readLine()) ?? "").trim());
}
