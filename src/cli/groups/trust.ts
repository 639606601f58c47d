// What is trusted: commands that check, prove and take along. Data only: it must never import a command's code, only say
// where it is.
import type { CommandSpec } from "../command.ts";
import { dryRun, json, reason, store, yes } from "../options.ts";

export const trust: readonly CommandSpec[] = [
  {
    name: "doctor",
    args: "",
    group: "Trust",
    summary: "check the store, its engines, and what is stuck",
    options: [
      { flags: "--verify", summary: "fold every log again and compare every table with it; exit code 9 when one does not agree" },
      { flags: "--run <run>", summary: "with --verify or --repair: only this run" },
      { flags: "--since <time>", summary: "with --verify: only runs that changed since then, as 24h or 2026-01-31T12:00:00Z" },
      { flags: "--resume", summary: "with --verify: keep the place in the store, and go on from it" },
      { flags: "--repair", summary: "make what the log determines again from the log; a dry run unless --yes" },
      { flags: "--restored", summary: "the store was restored from a backup: raise its incarnation, pause what may not repeat" },
      reason,
      yes,
      dryRun,
      json,
      store,
    ],
    example: "pawl doctor",
    load: async () => (await import("../commands/doctor.ts")).doctor,
  },
  {
    name: "proof",
    args: "<run|key>",
    group: "Trust",
    summary: "say how often each effect took place, why that is known, and under which assumptions",
    options: [json, store],
    example: "pawl proof order-42",
    load: async () => (await import("../commands/proof.ts")).proof,
  },
  {
    name: "evidence",
    args: "<run>",
    group: "Trust",
    summary: "write an archive that proves a run to somebody who trusts neither you nor the store",
    options: [
      { flags: "-o, --output <file>", summary: "where to (default: <run id>.evidence.zip here)" },
      { flags: "--without-payloads", summary: "leave inputs, results and errors out; the chain stays whole" },
      { flags: "--redact <path>", summary: "hide a value in payloads, as input.card or **.email", many: true },
      { flags: "--sign <file>", summary: "sign with this Ed25519 private key (PEM)" },
      { flags: "-y, --yes", summary: "write over a file that is there" },
      json,
      store,
    ],
    example: "pawl evidence o-1 -o o-1.zip --redact '**.card' --sign key.pem",
    load: async () => (await import("../commands/evidence.ts")).evidence,
  },
  {
    name: "verify",
    args: "<evidence>",
    group: "Trust",
    summary: "check the evidence of a run, offline; exit code 9 when a check fails",
    options: [{ flags: "--key <file>", summary: "the signer must be this Ed25519 public key (PEM)" }, json],
    example: "pawl verify o-1.zip --key signer.pub.pem",
    load: async () => (await import("../commands/verify.ts")).verify,
  },
];
