// Commands that check a store, prove what happened and write evidence. Data only: it must never import a command's code, only say
// where it is.
import type { DoctorOptions } from "../commands/verify/doctor.ts";
import type { EvidenceCommandOptions } from "../commands/verify/evidence.ts";
import type { KeysOptions } from "../commands/verify/keys.ts";
import type { ProofOptions } from "../commands/verify/proof.ts";
import type { UiCommandOptions } from "../commands/verify/ui.ts";
import type { VerifyCommandOptions } from "../commands/verify/verify.ts";
import type { WitnessOptions } from "../commands/verify/witness.ts";
import { defineCommand, type CommandSpec } from "../command.ts";
import { dryRunOption, jsonOption, reasonOption, storeOptions, yesOption } from "../shared-options.ts";

export const verifyCommands: readonly CommandSpec[] = [
  defineCommand<DoctorOptions>({
    name: "doctor",
    args: "",
    group: "Verify",
    summary: "check the store, its engines, and what is stuck",
    options: {
      verify: {
        flags: "--verify",
        summary: "read every log of every tenant and compare every table with it; exit code 9 if something differs",
      },
      run: { flags: "--run <run>", summary: "with --verify or --repair: only this run" },
      since: { flags: "--since <time>", summary: "with --verify: only runs that changed since then, such as 24h or 2026-01-31T12:00:00Z" },
      key: { flags: "--key <file>", summary: "with --verify: require seals of these public keys, and look for removed runs" },
      witness: { flags: "--witness <file>", summary: "with --verify: compare with the heads that pawl witness wrote" },
      resume: { flags: "--resume", summary: "with --verify: remember the place in the store, and continue from it" },
      repair: { flags: "--repair", summary: "rebuild derived data from the log; a dry run unless --yes" },
      restored: {
        flags: "--restored",
        summary: "the store was restored from a backup: raise its incarnation, pause runs whose effects must not be repeated, end tokens",
      },
      keepTokens: { flags: "--keep-tokens", summary: "with --restored: tokens stay valid, also those that were revoked after the backup" },
      ...reasonOption,
      ...yesOption,
      ...dryRunOption,
      ...jsonOption,
      ...storeOptions,
    },
    example: "pawl doctor",
    load: async () => (await import("../commands/verify/doctor.ts")).doctorCommand,
  }),
  defineCommand<ProofOptions>({
    name: "proof",
    args: "<run|key>",
    group: "Verify",
    summary: "say how often each effect took place, why that is known, and under which assumptions",
    options: { ...jsonOption, ...storeOptions },
    example: "pawl proof order-42",
    load: async () => (await import("../commands/verify/proof.ts")).proofCommand,
  }),
  defineCommand<EvidenceCommandOptions>({
    name: "evidence",
    args: "<run>",
    group: "Verify",
    summary: "write an archive that proves a run to somebody who trusts neither you nor the store",
    options: {
      output: { flags: "-o, --output <file>", summary: "the file to write (default: <run id>.evidence.zip here)" },
      withoutPayloads: { flags: "--without-payloads", summary: "leave out inputs, results and errors; the chain can still be verified" },
      redactAs: { flags: "--redact-as <how>", summary: "what is shown of such a value: mask (the default), remove or hash" },
      redact: { flags: "--redact <path>", summary: "hide a value in payloads, such as input.card or **.email", many: true },
      sign: { flags: "--sign <file>", summary: "sign with this Ed25519 private key (PEM)" },
      yes: { flags: "-y, --yes", summary: "overwrite an existing file" },
      ...jsonOption,
      ...storeOptions,
    },
    example: "pawl evidence o-1 -o o-1.zip --redact '**.card' --sign key.pem",
    load: async () => (await import("../commands/verify/evidence.ts")).evidenceCommand,
  }),
  defineCommand<VerifyCommandOptions>({
    name: "verify",
    args: "<evidence>",
    group: "Verify",
    summary: "check the evidence of a run, offline; exit code 9 if a check fails",
    options: {
      key: { flags: "--key <file>", summary: "require seals of these public keys, as pawl keys wrote them" },
      signer: { flags: "--signer <file>", summary: "require a signature by this Ed25519 public key (PEM)" },
      witness: { flags: "--witness <file>", summary: "compare with the heads that pawl witness wrote" },
      ...jsonOption,
    },
    example: "pawl verify o-1.zip --key seal.pem.pub",
    load: async () => (await import("../commands/verify/verify.ts")).verifyCommand,
  }),
  defineCommand<UiCommandOptions>({
    name: "ui",
    args: "<evidence>",
    group: "Verify",
    summary: "show the evidence of a run in a browser, checked in the page, without a store",
    options: {
      listen: { flags: "--listen <address>", summary: "address and port, on this machine only (default: 127.0.0.1 and any free port)" },
      key: { flags: "--key <file>", summary: "require seals of these public keys, as pawl keys wrote them" },
      signer: { flags: "--signer <file>", summary: "require a signature by this Ed25519 public key (PEM)" },
      witness: { flags: "--witness <file>", summary: "compare with the heads that pawl witness wrote" },
      ...jsonOption,
    },
    example: "pawl ui o-1.zip",
    load: async () => (await import("../commands/verify/ui.ts")).uiCommand,
  }),
  defineCommand<KeysOptions>({
    name: "keys",
    args: "<new|list|rotate> [file]",
    group: "Verify",
    summary: "the keys with which engines seal logs: new, list, rotate",
    options: jsonOption,
    example: "pawl keys new ./keys/seal.pem",
    load: async () => (await import("../commands/verify/keys.ts")).keysCommand,
  }),
  defineCommand<WitnessOptions>({
    name: "witness",
    args: "<file>",
    group: "Verify",
    summary: "append the head of every run with new events to a file, until interrupted; exit code 9 if a head was lost",
    options: {
      once: { flags: "--once", summary: "look once, then end" },
      every: { flags: "--every <duration>", summary: "how often to look (default: 30s)" },
      key: { flags: "--key <file>", summary: "do not report a run that retention removed and signed for with one of these public keys" },
      ...jsonOption,
      ...storeOptions,
    },
    example: "pawl witness /mnt/elsewhere/heads.jsonl",
    load: async () => (await import("../commands/verify/witness.ts")).witnessCommand,
  }),
];
