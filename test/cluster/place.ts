// Where a cluster lives: two free addresses for its orchestrators and, for the four commands, a folder with the place's facts, so that a later command
// finds what an earlier one made.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join, resolve } from "node:path";
import type { ClusterPlace } from "./services.ts";

/** PAWL_CLUSTER_HOME: another folder, for a cluster beside the one that a person has started. */
export const clusterHome: string = process.env["PAWL_CLUSTER_HOME"] ?? resolve(import.meta.dirname, "../../.reports/cluster");
const factsFile = join(clusterHome, "place.json");

/** The wanted port where it is free, else any. */
export async function freePort(wanted = 0): Promise<number> {
  const listen = (port: number): Promise<number> =>
    new Promise((found, failed) => {
      const probe = createServer();
      probe.once("error", failed);
      probe.listen(port, "127.0.0.1", () => {
        const at = probe.address();
        probe.close(() => found(typeof at === "object" && at !== null ? at.port : 0));
      });
    });
  return listen(wanted).catch(() => listen(0));
}

export function savePlace(p: ClusterPlace): void {
  mkdirSync(clusterHome, { recursive: true });
  writeFileSync(factsFile, JSON.stringify(p, null, 2));
}

export function savedPlace(): ClusterPlace | undefined {
  return existsSync(factsFile) ? (JSON.parse(readFileSync(factsFile, "utf8")) as ClusterPlace) : undefined;
}
