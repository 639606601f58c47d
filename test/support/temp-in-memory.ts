// Where the files of a run of tests lie: in memory where the machine has such a folder and room in it (Linux: /dev/shm), else
// where the system puts temporary files. Stores and servers keep their durable settings and do all that they would do; only the
// disk's waits are gone, which were a large part of a run. A killed process or server finds its files as on a disk. What a
// cut of power leaves is not shown here, and was not shown by a disk that is never cut off. A TMPDIR that somebody set is obeyed.
// It must never remove what another run may still use.
import { accessSync, chmodSync, constants, mkdtempSync, readdirSync, rmSync, statSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Names the folder for what is kept from run to run, where the files of a run are in memory. */
export const diskVariable = "PAWL_TEST_DISK";
const memory = "/dev/shm";
const prefix = "pawl-tests-";
const freeBytesMin = 3 * 1024 ** 3;
const keepMs = 6 * 3_600_000;

function hasRoom(): boolean {
  try {
    accessSync(memory, constants.W_OK);
    const { bavail, bsize } = statfsSync(memory);
    return bavail * bsize >= freeBytesMin;
  } catch {
    return false;
  }
}

function alive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (e) {
    return (e as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** What a run that was killed left behind takes memory until somebody removes it. */
function forgetOld(): void {
  for (const name of readdirSync(memory)) {
    const pid = Number(new RegExp(`^${prefix}(\\d+)-`).exec(name)?.[1] ?? Number.NaN);
    if (Number.isNaN(pid) || alive(pid)) continue;
    try {
      const path = join(memory, name);
      if (Date.now() - statSync(path).mtimeMs > keepMs) rmSync(path, { recursive: true, force: true });
    } catch {
      // Somebody else's, or another run tidied it up.
    }
  }
}

/** For vitest, before whatever makes files: everything that asks for a temporary folder gets one in memory. */
export default function setup(): (() => void) | undefined {
  if (process.env["TMPDIR"] !== undefined || !hasRoom()) return undefined;
  forgetOld();
  const home = mkdtempSync(join(memory, `${prefix}${process.pid}-`));
  chmodSync(home, 0o755); // the servers run as another user
  process.env[diskVariable] = tmpdir();
  process.env["TMPDIR"] = home;
  return () => {
    delete process.env["TMPDIR"];
    delete process.env[diskVariable];
    rmSync(home, { recursive: true, force: true });
  };
}
