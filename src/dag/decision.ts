// What a decision answered, as a list of its branches. An unknown name is a final failure (TX-10): it is never taken for "none", and it
// never chooses a branch that nobody named.
import { PawlError } from "../errors/error.ts";

export function chosenBranches(id: string, branches: readonly string[], answer: unknown): readonly string[] {
  const names: readonly unknown[] = Array.isArray(answer) ? answer : [answer];
  for (const name of names) {
    if (typeof name === "string" && branches.includes(name)) continue;
    const said = typeof name === "string" ? JSON.stringify(name.slice(0, 80)) : typeof name;
    throw new PawlError("PAWL1027", `decision ${id} chose ${said}, which is none of its branches: ${branches.join(", ")}`);
  }
  return [...new Set(names as readonly string[])];
}
