// A user's file, imported, and the workflows and schedules it exports. Any problem while it is loaded becomes one error that
// names the file; the user's own stack stays available with PAWL_DEBUG=1.
import { PawlError } from "../../errors/error.ts";
import { exists, isDirectory } from "../../platform/files.ts";
import { importFile } from "../../platform/modules.ts";
import { isSchedule } from "../../schedule/define.ts";
import type { Schedule } from "../../schedule/types.ts";
import { isWorkflow } from "../../workflow/registry.ts";
import type { AnyWorkflow } from "../../workflow/types.ts";

export interface LoadedFile {
  readonly workflow: AnyWorkflow;
  /** All that the file exports: runs of each of them can continue. */
  readonly all: readonly AnyWorkflow[];
}

/** "../order.ts#name" names a file; "order" names a workflow. */
export function isFileName(target: string): boolean {
  return /[\\/]/.test(target) || /\.[cm]?[jt]sx?(?:#|$)/.test(target);
}

export async function loadFile(target: string): Promise<LoadedFile> {
  const file = await tryLoadFile(target);
  if (file === undefined) throw exportsNone(target);
  return file;
}

/** The same for those who need no main one: a name after # is checked, and not needed. */
export async function loadWorkflows(target: string): Promise<readonly AnyWorkflow[]> {
  if (target.includes("#")) return (await loadFile(target)).all;
  const all = workflowsOf(target, await loadUserModule(target));
  if (all.length === 0) throw exportsNone(target);
  return all;
}

/** What files export, for those who run all of it: none needs to be the main one. An engine also runs what it schedules. */
export interface LoadedFiles {
  readonly workflows: readonly AnyWorkflow[];
  readonly schedules: readonly Schedule[];
}

export async function loadAllOf(path: string): Promise<LoadedFiles> {
  const exported = await loadUserModule(path);
  const workflows = workflowsOf(path, exported);
  const schedules = [...new Set(Object.values(exported).filter(isSchedule))];
  if (workflows.length + schedules.length === 0) throw exportsNone(path);
  return { workflows, schedules };
}

function exportsNone(path: string): PawlError {
  return new PawlError("PAWL5005", `${path}: it exports no workflow`, { data: { path } });
}

function workflowsOf(path: string, exported: Record<string, unknown>): readonly AnyWorkflow[] {
  const all = [...new Set(Object.values(exported).filter(isWorkflow))];
  if (all.length === 0 && Object.values(exported).some(looksForeign))
    throw refusalOf(path)("its workflows were made by another copy of pawl: use that copy (npx pawl)");
  return all;
}

/** Undefined for a file that exports no workflow, and for a program, unless the target names one of the workflows that it exports. */
export async function tryLoadFile(target: string, isProgram?: () => boolean): Promise<LoadedFile | undefined> {
  const hash = target.lastIndexOf("#");
  const path = hash < 0 ? target : target.slice(0, hash);
  const name = hash < 0 ? undefined : target.slice(hash + 1);
  const refuse = refusalOf(path);
  const exported = await loadUserModule(path);
  const all = workflowsOf(path, exported);
  if (all.length === 0 || (name === undefined && isProgram?.() === true)) return undefined;
  return { workflow: chooseWorkflow(exported, all, name, refuse), all };
}

/** What a file exports. */
export async function loadUserModule(path: string): Promise<Record<string, unknown>> {
  const refuse = refusalOf(path);
  if (!exists(path)) throw refuse("there is no such file");
  if (isDirectory(path)) throw refuse("this is a folder");
  try {
    return (await importFile(path)) as Record<string, unknown>;
  } catch (e) {
    throw refuse(e instanceof Error ? `${e.name === "Error" ? "" : `${e.name}: `}${e.message}` : String(e), e);
  }
}

function refusalOf(path: string): (message: string, cause?: unknown) => PawlError {
  return (message, cause) => new PawlError("PAWL5005", `${path}: ${message}`, { cause, data: { path } });
}

function chooseWorkflow(
  exported: Record<string, unknown>,
  all: readonly AnyWorkflow[],
  name: string | undefined,
  refuse: (m: string) => PawlError,
): AnyWorkflow {
  const names = all.map((w) => String(w.name)).join(", ");
  if (name !== undefined) {
    const byExport = Object.hasOwn(exported, name) ? exported[name] : undefined;
    const found = isWorkflow(byExport) ? byExport : all.find((w) => w.name === name);
    if (found === undefined) throw refuse(`it exports no workflow ${name}, only ${names}`);
    return found;
  }
  const main = exported["default"];
  if (isWorkflow(main)) return main;
  const [only, ...more] = all;
  if (only === undefined || more.length > 0) throw refuse(`it exports several workflows; name one after #: ${names}`);
  return only;
}

/** What workflow() of another copy returns: frozen, a name and a version. */
function looksForeign(x: unknown): boolean {
  return typeof x === "object" && x !== null && Object.isFrozen(x) && Object.keys(x).toSorted().join() === "name,version";
}
