// The names of members that a user can call: those of the types that the entry points export, and of the types that these are made of.
// The ports that a store implements are left out: the engine calls them, not the user.
import { posix } from "node:path";
import { parseSync } from "oxc-parser";

/** @typedef {{ types: Map<string, any>, imports: Map<string, { file: string, name: string }>, exports: Map<string, { file: string, name: string }>, all: string[], values: Map<string, any> }} Types */

/**
 * @param {string} file
 * @param {string} text
 * @returns {Types}
 */
function typesOf(file, text) {
  const { program } = /** @type {{ program: any }} */ (parseSync(file, text));
  /** @type {Types} */
  const t = { types: new Map(), imports: new Map(), exports: new Map(), all: [], values: new Map() };
  const at = (/** @type {string} */ specifier) => posix.join(posix.dirname(file), specifier);
  for (const outer of program.body) {
    const s = outer.type === "ExportNamedDeclaration" && outer.declaration ? outer.declaration : outer;
    const names = s.type === "VariableDeclaration" ? s.declarations.map((/** @type {any} */ v) => [v.id.name, v]) : [[s.id?.name, s]];
    for (const [name, node] of names) {
      if (name === undefined) continue;
      (/^(TSInterface|TSTypeAlias|Class)/.test(s.type) ? t.types : t.values).set(name, node);
      if (outer !== s) t.exports.set(name, { file, name });
    }
    if (outer.source?.value.startsWith(".") !== true && outer.type !== "ExportNamedDeclaration") continue;
    const from = outer.source ? at(outer.source.value) : file;
    if (outer.type === "ExportAllDeclaration") t.all.push(from);
    for (const sp of outer.specifiers ?? []) {
      if (outer.type === "ImportDeclaration") t.imports.set(sp.local.name, { file: from, name: sp.imported?.name ?? "*" });
      else t.exports.set(sp.exported.name, { file: from, name: sp.local.name });
    }
  }
  return t;
}

/**
 * @param {ReadonlyMap<string, string>} texts
 * @param {readonly string[]} entries
 * @returns {Set<string>}
 */
export function publicMembers(texts, entries) {
  const modules = new Map([...texts].map(([f, text]) => [f, typesOf(f, text)]));
  /** @type {Set<string>} */
  const members = new Set();
  const seen = new Set();
  /** @type {(file: string, name: string) => void} */
  const use = (file, name) => {
    const m = modules.get(file);
    if (m === undefined || file.startsWith("src/store/") || seen.has(`${file}#${name}`)) return;
    seen.add(`${file}#${name}`);
    const other = m.exports.get(name) ?? m.imports.get(name);
    if (other !== undefined && (other.file !== file || other.name !== name)) return use(other.file, other.name);
    for (const all of m.all) use(all, name);
    const node = m.types.get(name) ?? m.values.get(name);
    if (node !== undefined) look(file, node, m.types.has(name));
  };
  /** @type {(file: string, node: any, inType: boolean) => void} */
  const look = (file, node, inType) => {
    if (node === null || typeof node !== "object" || typeof node.type !== "string") return;
    if (/^TS(Property|Method)Signature$/.test(node.type) && node.key.name !== undefined) members.add(node.key.name);
    if (/^(MethodDefinition|PropertyDefinition)$/.test(node.type) && node.key.type === "Identifier" && inType) members.add(node.key.name);
    if (node.type === "TSTypeReference" && node.typeName.type === "Identifier") use(file, node.typeName.name);
    if (node.type === "TSInterfaceHeritage" && node.expression.type === "Identifier") use(file, node.expression.name);
    if (node.type === "TSTypeQuery" && node.exprName.type === "Identifier") use(file, node.exprName.name);
    for (const [key, child] of Object.entries(node)) {
      if (key === "body" && /Function|Method/.test(node.type)) continue; // what a function does says nothing about its type
      for (const c of Array.isArray(child) ? child : [child]) look(file, c, inType);
    }
  };
  for (const e of entries) for (const name of modules.get(e)?.exports.keys() ?? []) use(e, name);
  return members;
}
