// Outside platform nothing reaches for the machine: no clock, timer, randomness, socket, process or console. This is what
// lets the whole engine run in a deterministic simulation. The names of the machine may not even be used for something
// else, so that no local name can hide one.
import { isReference, syntaxOf } from "./syntax.mjs";
import { isTest, standsAlone } from "./tree.mjs";

/** @typedef {import("./tree.mjs").Tree} Tree @typedef {import("./tree.mjs").Problem} Problem */

const machineNames = [
  "performance",
  "crypto",
  "setTimeout",
  "setInterval",
  "setImmediate",
  "clearTimeout",
  "clearInterval",
  "clearImmediate",
  "fetch",
  "WebSocket",
  "EventSource",
  "XMLHttpRequest",
  "process",
  "console",
  "globalThis",
  "global",
  "eval",
  "Function",
  "require",
];

/** Members of otherwise harmless globals. */
const machineMembers = new Map([
  ["Date", ["now"]],
  ["Math", ["random"]],
  ["AbortSignal", ["timeout"]],
]);

/**
 * @param {Tree} tree
 * @returns {Problem[]}
 */
export function machineProblems(tree) {
  /** @type {Problem[]} */
  const problems = [];
  for (const [path, text] of tree) {
    if (!path.startsWith("src/") || !path.endsWith(".ts") || path.startsWith("src/platform/") || isTest(path) || standsAlone(path))
      continue;
    const syntax = syntaxOf(path, text);
    for (const site of syntax.sites) {
      if (!isReference(site)) continue;
      const message = machineUse(site);
      if (message) problems.push({ path, line: syntax.lineOf(site.node.start), message });
    }
  }
  return problems;
}

/** @param {import("./syntax.mjs").Site} site */
function machineUse({ node, parent, key }) {
  const name = node["name"];
  if (machineNames.includes(name)) {
    // Types are erased: `Function` or `Crypto` as a type touches nothing.
    if (parent.type === "TSTypeReference") return undefined;
    return `${name} belongs to the machine: take it from platform`;
  }
  const members = machineMembers.get(name);
  if (members === undefined) return undefined;
  if (parent.type === "MemberExpression" && key === "object") {
    if (parent["computed"] === true) return `${name}[…]: write the member's name`;
    return members.includes(parent["property"].name)
      ? `${name}.${parent["property"].name} belongs to the machine: take it from platform`
      : undefined;
  }
  if (name === "Date" && parent.type === "NewExpression" && key === "callee" && parent["arguments"].length === 0) {
    return "new Date() reads the clock: take the time from platform";
  }
  if (name === "Date" && parent.type === "CallExpression" && key === "callee") return "Date() reads the clock: take the time from platform";
  if (/^(VariableDeclarator|AssignmentExpression|Property|AssignmentPattern)$/.test(parent.type) && key !== "key") {
    return `${name} under another name could hide a clock or randomness`;
  }
  return undefined;
}
