// What of src is reached from the package's entry points (package.json: exports and bin), declaration by declaration. It errs on the
// side of reached: a member counts as soon as anything that is reached mentions its name. The store suite is a test that is
// published; what only it reaches, tests alone reach.
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { moduleOf } from "./declarations.mjs";
import { publicMembers } from "./public-members.mjs";

/** @typedef {import("./declarations.mjs").Declaration} Declaration @typedef {import("./declarations.mjs").Module} Module */
/** @typedef {{ reached(file: string, at: number): boolean, unreached: Declaration[] }} Reach */

const isTestCode = (/** @type {string} */ file) => /\.test(-d)?\.ts$/.test(file) || file.startsWith("src/store/suite/");

/**
 * The source files that package.json publishes under a name.
 * @param {{ exports: Record<string, any>, bin: Record<string, string> }} pkg
 */
export function entryFiles(pkg) {
  const built = [...Object.values(pkg.exports).map((e) => (typeof e === "string" ? e : e.default)), ...Object.values(pkg.bin)];
  return built.filter((f) => /^\.\/dist\/.*\.js$/.test(f)).map((f) => f.replace(/^\.\/dist\/(.*)\.js$/, "src/$1.ts"));
}

/**
 * @param {string} root
 * @returns {Reach}
 */
export function reachOf(root) {
  const files = readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" })
    .map((f) => `src/${f.replaceAll("\\", "/")}`)
    .filter((f) => f.endsWith(".ts") && !isTestCode(f));
  const texts = new Map(files.map((f) => [f, readFileSync(join(root, f), "utf8")]));
  return reachIn(texts, entryFiles(JSON.parse(readFileSync(join(root, "package.json"), "utf8"))));
}

/**
 * @param {ReadonlyMap<string, string>} texts
 * @param {readonly string[]} entries
 * @returns {Reach}
 */
export function reachIn(texts, entries) {
  const modules = new Map([...texts].map(([f, text]) => [f, moduleOf(f, text)]));
  const walk = new Walk(modules, publicMembers(texts, entries));
  for (const e of entries) walk.whole(e);
  walk.run();
  const all = [...modules.values()].flatMap((m) => m.declarations);
  return {
    unreached: all.filter((d) => d.name !== "" && !walk.seen.has(d)),
    reached(file, at) {
      const around = (modules.get(file)?.declarations ?? []).filter((d) => d.start <= at && at < d.end);
      const nearest = around.toSorted((a, b) => a.end - a.start - (b.end - b.start))[0];
      return nearest !== undefined && walk.seen.has(nearest);
    },
  };
}

class Walk {
  /** @type {Set<Declaration>} */
  seen = new Set();
  /** @type {Declaration[]} */
  #next = [];
  #mentioned;
  #modules;
  /** Members of classes that are reached and whose names nobody has mentioned yet. @type {Map<string, Declaration[]>} */
  #waiting = new Map();

  /**
   * @param {ReadonlyMap<string, Module>} modules
   * @param {Iterable<string>} publicNames
   */
  constructor(modules, publicNames) {
    this.#modules = modules;
    this.#mentioned = new Set([...publicNames, "constructor", "then", "toString", "toJSON"]);
  }

  /** Everything that a file exports, and what it does as it is loaded. @param {string} file */
  whole(file) {
    this.#load(file);
    for (const name of this.#modules.get(file)?.exports.keys() ?? []) this.#use({ file, name });
    for (const other of this.#modules.get(file)?.all ?? []) this.whole(other);
  }

  run() {
    for (let d = this.#next.pop(); d !== undefined; d = this.#next.pop()) this.#from(d);
  }

  /** @param {Declaration | undefined} d */
  #reach(d) {
    if (d === undefined || this.seen.has(d)) return;
    this.seen.add(d);
    this.#next.push(d);
  }

  /** @param {string} file */
  #load(file) {
    this.#reach(this.#modules.get(file)?.declarations[0]);
  }

  /**
   * @param {import("./declarations.mjs").Target} target
   * @returns {void}
   */
  #use({ file, name }) {
    const m = this.#modules.get(file);
    if (m === undefined) return;
    if (name === "*") return this.whole(file);
    const at = m.exports.get(name);
    if (at !== undefined && (at.file !== file || at.name !== name)) return this.#use(at);
    if (at === undefined) for (const other of m.all) this.#use({ file: other, name });
    this.#declared(m, name);
  }

  /**
   * @param {Module} m
   * @param {string} name
   */
  #declared(m, name) {
    this.#load(m.file);
    for (const d of m.declarations) {
      if (d.name !== name || name === "") continue;
      if (d.member === undefined || this.#mentioned.has(d.member)) this.#reach(d);
      else this.#waiting.set(d.member, [...(this.#waiting.get(d.member) ?? []), d]);
    }
  }

  /** @param {Declaration} d */
  #from(d) {
    const m = /** @type {Module} */ (this.#modules.get(d.file));
    for (const name of d.names) {
      const imported = m.imports.get(name);
      if (imported !== undefined) this.#use(imported);
      else this.#declared(m, name);
    }
    for (const name of d.members) {
      this.#mentioned.add(name);
      for (const waiting of this.#waiting.get(name) ?? []) this.#reach(waiting);
      this.#waiting.delete(name);
    }
    for (const file of d.files) {
      if (file.startsWith("*")) this.whole(file.slice(1));
      else this.#load(file);
    }
  }
}
