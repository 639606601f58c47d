// The workflows that this engine has code for: those that it was made with, and those that it learned from calls and starts. One name is
// one code: a second one under the same name is refused, and must never take the place of the first.
import { PawlError } from "../../errors/error.ts";
import type { Definition } from "../definition.ts";

type NameAndVersion = { readonly workflow: string; readonly version: string };

export class ServedWorkflows {
  readonly #definitions = new Map<string, Definition>();

  constructor(definitions: readonly Definition[]) {
    for (const d of definitions) {
      const known = this.#definitions.get(d.name);
      if (known !== undefined && known.code !== d.code) throw new PawlError("PAWL5004", `two workflows are named ${d.name}`);
      this.#definitions.set(d.name, d);
    }
  }

  get(name: string): Definition | undefined {
    return this.#definitions.get(name);
  }
  all(): readonly Definition[] {
    return [...this.#definitions.values()];
  }
  /** False: it was known. */
  learn(d: Definition): boolean {
    if (this.#definitions.has(d.name)) return false;
    this.#definitions.set(d.name, d);
    return true;
  }
  served(): NameAndVersion[] {
    return this.all().map((d) => ({ workflow: d.name, version: d.version }));
  }
}
