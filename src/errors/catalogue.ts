// Every error code of Pawl, in one table: its name, what to do about it. Each has a page docs/errors/<code>.md and each
// page a code (checked by `npm run tidy`). 1xxx authoring, 2xxx effects, 3xxx store, 4xxx API, 5xxx configuration.
// A code, once published, is never given another meaning.

interface Entry {
  readonly name: string;
  readonly fix: string;
}

export const catalogue = {
  PAWL1001: { name: "InvalidName", fix: "Use a non-empty, well-formed name without '|' or control characters; 'RUN' is reserved." },
  PAWL1002: { name: "InvalidDuration", fix: 'Write a duration as a number of milliseconds or as text such as "30s", "5m", "2h", "1d".' },
  PAWL1003: { name: "NotEncodable", fix: "Return plain data: the message names the path of the value that cannot be stored." },
  PAWL1004: { name: "ValueTooLarge", fix: "Store the value elsewhere and return a reference, or raise the limit in the engine's options." },
  PAWL1005: { name: "ContradictoryGuarantee", fix: "Supply one of: key (with dedup, verify), verify, once, repeatable, or nothing." },
  PAWL1006: {
    name: "Diverged",
    fix: "Restore the code that recorded this run, or guard the change with ctx.patched; then resume the run.",
  },
  PAWL1007: {
    name: "UnrecordedWait",
    fix: "Wrap whatever the workflow waits for in ctx.step: only recorded outcomes may wake workflow code.",
  },
  PAWL1008: { name: "InputRejected", fix: "Send what the workflow's schema accepts; the message names the first problem." },
  PAWL1009: { name: "DuplicateKeyInMap", fix: "Give every item of ctx.map a key of its own." },
  PAWL1010: { name: "TooManyOpenSteps", fix: "Use ctx.map with a concurrency, or raise openStepsMax." },
  PAWL1011: { name: "InvalidRetry", fix: "Give attempts as a whole number of at least 1, and delays as durations." },
  PAWL1012: { name: "StepFailed", fix: "Read the step's recorded failure: it is what the step's function threw, after its last attempt." },
  PAWL1013: {
    name: "RunFailed",
    fix: "Read the run's log (pawl inspect); fix the cause, then `pawl retry` makes a new run that keeps the finished steps.",
  },
  PAWL1014: {
    name: "RunCancelled",
    fix: 'The run was cancelled or terminated; start it again under a new id, or with onConflict: "restart".',
  },
  PAWL1015: { name: "OutsideWorkflow", fix: "Call ctx only from the workflow's own code, while its run is live." },
  PAWL1016: { name: "UndeclaredMember", fix: "Check the name, or declare the signal, update or view in the workflow's definition." },
  PAWL1017: {
    name: "NotReplayable",
    fix: "Use ctx.now, ctx.random, ctx.uuid or ctx.sleep, or do it inside ctx.step: workflow code must do the same on every replay.",
  },
  PAWL1030: {
    name: "CallInsideStep",
    fix: "Call ctx from the workflow's own code: move the call out of the step's function, before or after ctx.step, and pass values through.",
  },
  PAWL1031: {
    name: "StepsAbandoned",
    fix: "Await every step before the workflow returns: `await ctx.step(…)`, or Promise.all for several at once. The message names the steps.",
  },
  PAWL1020: {
    name: "CallRefused",
    fix: "Undo with compensate, not in a catch: a run that is ending begins no new step. The call did nothing.",
  },
  PAWL1021: {
    name: "StatementRefused",
    fix: "Leave begin, commit and rollback out of ctx.tx, and create tables in your migrations. The statement was not sent.",
  },
  PAWL1022: { name: "NoClient", fix: "Use db.sql, or a store whose driver gives its client: sqlite:, postgres: or mysql:." },
  PAWL1023: {
    name: "UndoneByHand",
    fix: "Look at what the named steps did after the failure: a retry keeps them, and also keeps the steps that they may have undone. Undo with compensate.",
  },
  PAWL2001: { name: "EffectInDoubt", fix: "Look at the receiver, then answer: pawl decisions lists what waits, pawl resolve answers it." },
  PAWL2002: { name: "VerifyFailed", fix: "Make verify answer one of its four states within its time limit." },
  PAWL2003: {
    name: "DedupWindowPassed",
    fix: "Look at the receiver: the key may no longer be remembered there, so Pawl does not send it again.",
  },
  PAWL2004: {
    name: "ResultUnavailable",
    fix: "The effect happened but its result is lost: continue by hand from what the receiver knows.",
  },
  PAWL2005: { name: "DecidedByPerson", fix: "A person answered for this step; the log says who and why (pawl events)." },
  PAWL2006: {
    name: "NotConfirmed",
    fix: "Look at the resource that the verifier checked: it is no longer what the log says. Repair it, then `pawl retry` the run.",
  },
  PAWL2007: {
    name: "ConfirmationNeeded",
    fix: "Look at the resource, then answer the decision: accept what is there, ask the verifier again, or fail the run.",
  },
  PAWL2030: { name: "StepAlreadyCommitted", fix: "Nothing is to be done: the step stands as it was committed. Go on with the next one." },
  PAWL2031: {
    name: "CheckpointDiverged",
    fix: "Make the work come to the same from the same state and seed: this step stands under another key, or its row was changed.",
  },
  PAWL2032: { name: "NotTheOwner", fix: "Stop working on this run: another process owns it, and goes on from its latest checkpoint." },
  PAWL2033: {
    name: "ApprovalNeeded",
    fix: "Look at what the step would do, then answer: pawl resolve <id> --approve lets it go, --refuse fails it; nothing was sent.",
  },
  PAWL3001: { name: "StoreBusy", fix: "Another process held the database for too long: find the long transaction, then try again." },
  PAWL3002: {
    name: "StoreUnavailable",
    fix: "Check that the database is reachable and writable, and that the disk is not full. A running engine retries by itself; call again whatever else failed.",
  },
  PAWL3003: { name: "UnsafeSettings", fix: "Open the store with durable settings, or accept the risk explicitly." },
  PAWL3004: { name: "FormatNotAdmitted", fix: "Run a version of Pawl that the store admits, or migrate it: pawl migrate." },
  PAWL3005: { name: "RefusedText", fix: "Remove U+0000 and lone surrogates from ids and SQL parameters." },
  PAWL3006: {
    name: "CheckpointOwnershipCapabilityError",
    fix: 'Use a store that reports conditionalBatch, or choose checkpointOwnership: "single-owner" and run one engine.',
  },
  PAWL3007: { name: "BrokenInvariant", fix: "This is a defect of Pawl or of the store: keep the database and report it." },
  PAWL3008: { name: "NoSql", fix: "ctx.tx and the option tx need a store with SQL: open sqlite:, postgres: or mysql:." },
  PAWL3009: { name: "StoreClosed", fix: "Keep the engine open while its handles are in use." },
  PAWL3010: { name: "TransactionBroken", fix: "Do not begin, commit or roll back inside ctx.tx: Pawl does." },
  PAWL3011: {
    name: "TransactionTooLong",
    fix: "Keep ctx.tx short: no calls outside the database, fewer statements; everything was rolled back.",
  },
  PAWL3012: {
    name: "TransactionNotUsable",
    fix: "Pass as tx the connection on which you began a transaction, to the database that holds the store; the message says what is wrong.",
  },
  PAWL3013: {
    name: "StoreDamaged",
    fix: "Check that the path names the store. If it does: stop the engines, keep the file with its -wal beside it, and restore a backup.",
  },
  PAWL3015: {
    name: "FeedNeedsTrigger",
    fix: "Have the owner of Pawl's tables grant the right to create triggers on its runs, or create the feed's triggers for you: the message names them.",
  },
  PAWL3016: {
    name: "RunIsExternal",
    fix: "Ask the producer that appends to this run: its log comes from outside, and no engine takes messages for it.",
  },
  PAWL3017: {
    name: "StoreFacetMissing",
    fix: "Use a store that has this facet (memory:, sqlite:, postgres:, mysql:), or add it to yours: the message names it.",
  },
  PAWL3025: {
    name: "StoreTooSlowToSend",
    fix: "Find out why the database answers so slowly, or give the step a longer timeout. Nothing was sent; the step's retry policy decides whether it is tried again.",
  },
  PAWL3030: {
    name: "LoginRefused",
    fix: "Check user and password in the store's URL, and that the server lets this user in from this machine (some only with TLS: ?ssl=true for mysql:); then open the store again.",
  },
  PAWL3031: {
    name: "NoDatabase",
    fix: "Correct the database's name in the store's URL, or create it (create database …): Pawl creates tables, not databases.",
  },
  PAWL3032: {
    name: "NobodyListens",
    fix: "Start the database server, or correct host and port in the store's URL. Check with the database's own client from this machine, then open the store again.",
  },
  PAWL3033: {
    name: "EncryptionMismatch",
    fix: "If the server requires TLS, ask for it in the store's URL: ?sslmode=require for postgres:, ?ssl=true for mysql:. If it offers none, leave that out.",
  },
  PAWL3034: {
    name: "TooManyConnections",
    fix: "Close other clients, raise the server's connection limit, or lower Pawl's own (connectionsMax, txConnectionsMax); then open the store again.",
  },
  PAWL3035: {
    name: "MayNotOpen",
    fix: "Have the owner of the database create Pawl's tables (pawl migrate --dry-run prints the statements) and grant this user their use, or grant this user the right to create them.",
  },
  PAWL3036: {
    name: "StoreIsReadOnly",
    fix: "Open the store where it can be written: correct the path or the file's permissions, use a file system that is not read-only, or the primary server instead of a replica.",
  },
  PAWL4001: { name: "RunNotFound", fix: "Check the id and the store (pawl ls)." },
  PAWL4002: { name: "WorkflowIdTaken", fix: "Choose another id, or attach to the existing run." },
  PAWL4003: { name: "RunSettled", fix: "The run has ended and never changes; retry or restart makes a new run." },
  PAWL4004: {
    name: "SignalAcceptanceIndeterminate",
    fix: "Inspect the run's inbox before sending again: this signal may already be there.",
  },
  PAWL4005: { name: "InvalidSignalId", fix: "Send a signalId of 1 to 128 bytes of well-formed text, or leave it out." },
  PAWL4006: { name: "TimedOut", fix: "Ask again, or wait longer. If the run waits for a person, `pawl decisions` shows for what." },
  PAWL4007: { name: "UpdateRejected", fix: "Send an update that the workflow's validation accepts." },
  PAWL4008: { name: "UnknownWorkflow", fix: "Register the workflow with the engine, or name a file that exports it." },
  PAWL4009: { name: "InputMismatch", fix: "The same id or key was used with another input: use a new one." },
  PAWL4010: { name: "NotAllowedNow", fix: "The run's status does not permit this; the message says which does." },
  PAWL4011: { name: "BadRequest", fix: "Correct the argument that the message names." },
  PAWL4020: { name: "SchemaValidationFailed", fix: "Correct the event at the place that the message names, and append it again." },
  PAWL4021: {
    name: "InvalidTransition",
    fix: "Look at the run's log (pawl events): append what is missing, then forget the rejection and append the event again.",
  },
  PAWL4022: { name: "RunAlreadyExists", fix: "Choose another runId: this one belongs to a run of another plan, or one that has begun." },
  PAWL4035: {
    name: "WebhookNotVerified",
    fix: "Answer 400 and do nothing: check that the raw body and all webhook-* headers reach verifyWebhook, and the endpoint's secret.",
  },
  PAWL4036: { name: "EndpointNotFound", fix: "Check the endpoint's id and the store (pawl webhooks list)." },
  PAWL4037: { name: "EndpointExists", fix: "Choose another id, or remove the endpoint that has it." },
  PAWL4038: {
    name: "DeliveryGivenUp",
    fix: "Repair the receiver, then send it again: pawl webhooks replay <endpoint> --dead.",
  },
  PAWL4030: {
    name: "ConsumerBusy",
    fix: "Another process works under this consumer's name: let it, or stop it first.",
  },
  PAWL4031: {
    name: "PolicyDiffers",
    fix: "Use the policy that this store's projections were made with; a different one needs a rebuild from zero that says so.",
  },
  PAWL4032: {
    name: "OldEventRefused",
    fix: "Have the producer write events of version 2, or move the end of the compatibility window.",
  },
  PAWL4033: {
    name: "NotARecord",
    fix: "Give the projector persisted records of the run that it stands at: with runSeq and persistedAt, as the log holds them.",
  },
  PAWL4040: {
    name: "LogRemoved",
    fix: "Retention removed the run's log after it had ended; its status is still known. Keep logs longer (keepRuns), or hold the run before.",
  },
  PAWL4041: {
    name: "PayloadsRemoved",
    fix: "Retention removed the run's payloads after it had ended; its events and times are still there. Keep payloads longer, or hold the run.",
  },
  PAWL4042: {
    name: "RunMoved",
    fix: "Ask the store that the run was imported into; if it was imported nowhere, pawl export --undo with the id that pawl inspect shows.",
  },
  PAWL4043: {
    name: "DamagedExport",
    fix: "Export again: the file is not whole, was changed, or is of a version that this Pawl does not read.",
  },
  PAWL4044: {
    name: "ImportConflict",
    fix: "Import into a store that has no other run of this id, workflowId or start key; nothing was overwritten.",
  },
  PAWL4070: {
    name: "AlreadyAnswered",
    fix: "The first answer counts, and it was another one: the message says who answered what, and when. Look at the run (pawl inspect) before you do more.",
  },
  PAWL4050: {
    name: "DoneByAnEarlierRun",
    fix: "Look at what the earlier run did (pawl proof), then answer the decision. If it is another effect, give the step another key and retry.",
  },
  PAWL4051: {
    name: "UndoneByAnEarlierRun",
    fix: "Find out whether the effect is in place at the receiver, then answer the decision: it happened, it did not happen, or fail the step.",
  },
  PAWL4052: {
    name: "CannotRerun",
    fix: "Name completed steps of a class that may be sent again, with who and why (see pawl retry --dry-run). To do an effect a second time, give the step another key.",
  },
  PAWL4053: {
    name: "StartKeyReused",
    fix: "Use a new idempotencyKey for a new request, or send the same request unchanged; the message names what differs.",
  },
  PAWL4060: {
    name: "KeyFileExists",
    fix: "Choose another file name, or replace the existing key with pawl keys rotate.",
  },
  PAWL4061: {
    name: "KeyFileMissing",
    fix: "Check the path of the key file; make one with pawl keys new <file>.",
  },
  PAWL4062: {
    name: "KeyFileUnusable",
    fix: "Give an Ed25519 private key in PEM without a passphrase that this process can read; for a new one, a path in a folder that it can write.",
  },
  PAWL4063: {
    name: "KeyFileExposed",
    fix: "Make the key file readable by its owner only: chmod 600 <file>. If others may have read it, make a new key.",
  },
  PAWL4064: {
    name: "KeyringInvalid",
    fix: "Give the public key file that pawl keys wrote beside the private key (<file>.pub), whole and unchanged.",
  },
  PAWL4065: {
    name: "WitnessInvalid",
    fix: "Give a file that pawl witness wrote for this store; the message names the problem.",
  },
  PAWL4066: {
    name: "PrivateKeyGiven",
    fix: "Give the public keys (<file>.pub) to --key, and keep the private key where engines run: anybody who has it can seal anything.",
  },
  PAWL4067: {
    name: "NotEvidence",
    fix: "Give a file that pawl evidence wrote.",
  },
  PAWL4068: {
    name: "WitnessFileUnusable",
    fix: "Name a file that this process can read and write, in a folder that is there; make the folder first.",
  },
  PAWL4071: {
    name: "StoreNotNamed",
    fix: "Set the variable that names the store, or write the URL. To use the nearest .pawl folder, leave the option store out.",
  },
  PAWL5001: { name: "InvalidOption", fix: "Correct the option that the message names." },
  PAWL5002: { name: "UnknownStoreUrl", fix: "Use memory:, sqlite:<path>, postgres://…, mysql://… or a Store." },
  PAWL5003: { name: "EngineStopped", fix: "Start a new engine: a stopped one takes no new work." },
  PAWL5004: { name: "DuplicateWorkflow", fix: "Register each workflow name once per engine." },
  PAWL5005: { name: "CannotLoadFile", fix: "Check the path and that the file exports a workflow." },
  PAWL5006: { name: "NoStoreHere", fix: "Make one with pawl init, or name it with --store sqlite:<path> or PAWL_STORE." },
  PAWL5007: { name: "FileExists", fix: "Choose another name, or move the file that is there out of the way." },
  PAWL5008: {
    name: "DriverMissing",
    fix: "Install the driver's package beside Pawl: npm install pg, or npm install mysql2; in a bundle mark it as external (docs/bundling.md).",
  },
  PAWL5009: {
    name: "PlaceholderVerifier",
    fix: "Give confirm a verifier that looks at the resource (pawl/verifiers); the placeholder is for development only.",
  },
  PAWL5030: {
    name: "NoPlaceToTest",
    fix: "Give the user of this URL the right to create a schema (Postgres) or a database (MySQL, MariaDB), or test on sqlite:.",
  },
  PAWL5020: {
    name: "InvalidWebhookSecret",
    fix: "Use whsec_ and base64 of 24 to 64 bytes, whsk_… to sign or whpk_… to verify; or let Pawl make one.",
  },
  PAWL5021: { name: "InvalidEndpoint", fix: "Correct what the message names: an https URL, event types, times, attempts." },
} as const;

catalogue satisfies Record<string, Entry>;

export type Code = keyof typeof catalogue;
