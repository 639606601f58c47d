// Every error code of Pawl, in one table: its name, and what to do about it. Each has a page docs/errors/<code>.md and each page a code
// (checked by `npm run tidy`); docs/errors.md is generated from this table. 1xxx workflow code, 2xxx effects, 3xxx store, 4xxx requests,
// 5xxx configuration. A code has one meaning, and once published it never gets another.

interface Entry {
  readonly name: string;
  readonly fix: string;
}

export const catalogue = {
  PAWL1001: { name: "InvalidName", fix: "Use a non-empty, well-formed name without '|' or control characters; 'RUN' is reserved." },
  PAWL1002: { name: "InvalidDuration", fix: 'Write a duration as a number of milliseconds, or as text such as "30s", "5m", "2h" or "1d".' },
  PAWL1003: { name: "NotEncodable", fix: "Return plain data. The message names the path of the value that cannot be stored." },
  PAWL1004: { name: "ValueTooLarge", fix: "Store the value elsewhere and return a reference, or raise the engine's limits." },
  PAWL1005: {
    name: "ContradictoryGuarantee",
    fix: "Give one of: key (with dedup or verify), verify, once, repeatable. A step may also give none; a tool may not.",
  },
  PAWL1006: {
    name: "Diverged",
    fix: "Restore the code that recorded this run, or guard the change with ctx.patched; then resume the run.",
  },
  PAWL1007: {
    name: "UnrecordedWait",
    fix: "Put what the workflow waits for into ctx.step: workflow code may wait only for what is recorded.",
  },
  PAWL1008: { name: "InputRejected", fix: "Send what the workflow's schema accepts; the message names the first problem." },
  PAWL1009: { name: "DuplicateKeyInMap", fix: "Give every item of ctx.map its own key." },
  PAWL1010: { name: "TooManyOpenSteps", fix: "Use ctx.map with a concurrency, or raise limits.openStepsMax of the engine." },
  PAWL1011: { name: "InvalidRetry", fix: "Give attempts as a whole number of at least 1, and delays as durations." },
  PAWL1012: { name: "StepFailed", fix: "Read the step's recorded failure: it is what the step's function threw in its last attempt." },
  PAWL1013: {
    name: "RunFailed",
    fix: "Read the run's log (pawl inspect) and fix the cause; pawl retry then starts a new run that keeps the finished steps.",
  },
  PAWL1014: {
    name: "RunCancelled",
    fix: 'The run was cancelled or terminated. Start it again under a new id, or with onConflict: "restart".',
  },
  PAWL1015: { name: "OutsideWorkflow", fix: "Call ctx only from the workflow's own code, and await everything before it returns." },
  PAWL1016: { name: "UndeclaredMember", fix: "Check the name, or declare the signal, update or view in the workflow's definition." },
  PAWL1017: {
    name: "NotReplayable",
    fix: "Use ctx.now, ctx.random, ctx.uuid or ctx.sleep, or do it inside ctx.step: workflow code must do the same on every replay.",
  },
  PAWL1018: { name: "AsyncSchema", fix: "Use a schema that validates synchronously, and do checks that need I/O in a step." },
  PAWL1020: {
    name: "CallRefused",
    fix: "Undo with compensate, not in a catch: a run that is ending starts no new step. The call did nothing.",
  },
  PAWL1021: {
    name: "StatementRefused",
    fix: "Leave begin, commit and rollback out of ctx.tx, and create tables in your migrations. The statement was not sent.",
  },
  PAWL1022: { name: "NoClient", fix: "Use db.sql, or a store that offers its driver's client: sqlite:, postgres: or mysql:." },
  PAWL1023: {
    name: "UndoneByHand",
    fix: "Look at what the named steps did after the failure: a retry keeps them, and also the steps that they may have undone. Undo with compensate.",
  },
  PAWL1024: {
    name: "PlanHasCycle",
    fix: "Remove one of the edges that the message names: no step may need, directly or through others, its own result. Nothing was stored.",
  },
  PAWL1025: {
    name: "PlanInvalid",
    fix: "Correct the step that the message names. A plan is checked as a whole before anything is stored.",
  },
  PAWL1026: {
    name: "TemplateConflict",
    fix: "This version was registered with other content: give the template a new version. The message has both digests.",
  },
  PAWL1027: {
    name: "UnknownBranch",
    fix: "Return the name of one of the decision's branches, or several of them as a list.",
  },
  PAWL1028: {
    name: "NodeNotPure",
    fix: "Make when, key, id and input of a node pure functions of their arguments: synchronous, and without effects.",
  },
  PAWL1030: {
    name: "CallInsideStep",
    fix: "Move the ctx call out of the step's function, before or after ctx.step, and pass values as variables.",
  },
  PAWL1031: {
    name: "StepsAbandoned",
    fix: "Await every step before the workflow returns: `await ctx.step(…)`, or Promise.all for several at once. The message names the steps.",
  },
  PAWL1032: {
    name: "StepEndedWithRun",
    fix: "Await the step before the workflow returns, and let its function stop when s.signal is aborted.",
  },
  PAWL1033: { name: "ContinueAsNewCaught", fix: "Do not catch what ctx.continueAsNew throws: it ends the run." },
  PAWL1034: {
    name: "StepTimedOut",
    fix: "Find out why the step's function is slow, or raise its timeout; pass s.signal to what it calls.",
  },
  PAWL1035: {
    name: "RunDeadlinePassed",
    fix: "Raise the workflow's timeout or the start's deadline, or see what the run waited for (pawl inspect).",
  },
  PAWL1036: {
    name: "ChildTimedOut",
    fix: "Raise the timeout of ctx.call, or handle the failure; pawl inspect shows what the child waits for.",
  },
  PAWL1037: {
    name: "RunStale",
    fix: "Look at what the message says that the run waited for, and at its investigation (pawl investigations); repair that, then pawl retry the run.",
  },
  PAWL1040: {
    name: "InvalidSchedule",
    fix: 'Correct what the message names: cron of five or six fields that names a time, a time zone such as "Europe/Zurich", every of at least "1s".',
  },
  PAWL1050: {
    name: "InvalidGraph",
    fix: "Correct the channel, node or edge that the message names. Nothing was stored.",
  },
  PAWL1051: {
    name: "InvalidUpdate",
    fix: "Return only channels that the graph has, with values that they take, or nothing.",
  },
  PAWL1052: {
    name: "ChannelConflict",
    fix: 'Let one node set the channel, or use append, byId, sum or reduce; last(…, { conflict: "highest" }) lets the higher order key win.',
  },
  PAWL1053: {
    name: "NoProgress",
    fix: 'Make every edge function return a node or "end" in every case, also where there is nothing to send.',
  },
  PAWL1054: { name: "TooManySupersteps", fix: "Check that the loop ends, or raise maxSteps of the graph." },
  PAWL1055: {
    name: "GraphTooLarge",
    fix: "Keep large values elsewhere and references in the state, send fewer items, or raise limits.stateBytesMax.",
  },
  PAWL1056: { name: "InvalidRoute", fix: 'Let the edge return names of nodes, sends with inputs that their nodes take, or "end".' },
  PAWL1057: { name: "NodeTimeout", fix: "Give the node more time, or let catch lead its failure to a handler." },
  PAWL1058: {
    name: "ReducerFailed",
    fix: "Make the reducer a pure, synchronous function: it returns the new value, made from the old value and an update.",
  },
  PAWL1059: { name: "ItemsFailed", fix: "Read the failures that the message lists; catch leads failures of a node to a handler." },
  PAWL1070: {
    name: "ToolLimitReached",
    fix: "Raise the tool's limit, or find out why the run calls it that often; this call was not sent.",
  },
  PAWL1071: {
    name: "ToolKeyReused",
    fix: "Make the tool's key of everything that tells two calls apart, such as the amount; this call was not sent.",
  },
  PAWL1072: { name: "NoSuchTool", fix: "Give the tool to the agent or the toolbox, or correct the name." },
  PAWL1076: {
    name: "NoPlan",
    fix: "Let the planner return a list of at least one call of the tools that it was given; nothing of the plan was sent.",
  },
  PAWL1086: {
    name: "CapabilityNotGranted",
    fix: 'Grant it where the tools are given to the agent (capabilities: { payments: "ask" }), or give the agent another tool.',
  },
  PAWL1087: {
    name: "SecretInValue",
    fix: "Pass the secret's name, not its text, and read the text inside the step; return what the step did, without the secret.",
  },
  PAWL2001: {
    name: "EffectInDoubt",
    fix: "Look at the receiver, then answer: pawl decisions lists the open decisions, pawl resolve answers one.",
  },
  PAWL2002: { name: "VerifyFailed", fix: "Make verify return one of its four states within its time limit." },
  PAWL2003: {
    name: "DedupWindowPassed",
    fix: "Look at the receiver, then answer the decision: it may no longer remember the key, so Pawl does not send it again.",
  },
  PAWL2004: {
    name: "ResultUnavailable",
    fix: "The effect happened, but its result is lost: continue from what the receiver knows.",
  },
  PAWL2005: { name: "DecidedByPerson", fix: "A person decided about this step; the log says who and why (pawl events)." },
  PAWL2006: {
    name: "NotConfirmed",
    fix: "Look at the resource that the verifier checked: it is no longer what the log says. Repair it, then pawl retry the run.",
  },
  PAWL2007: {
    name: "ConfirmationNeeded",
    fix: "Look at the resource, then answer the decision: accept it as it is, ask the verifier again, or fail the run.",
  },
  PAWL2008: { name: "VerifierTimedOut", fix: "Check the resource that the verifier asks, or give the verifier a longer time limit." },
  PAWL2009: {
    name: "NoWorkerInTime",
    fix: "Start workers that serve the queue and have the task (pawl worker), give the task a longer within, or let retry repeat it.",
  },
  PAWL2010: {
    name: "ResultInvalid",
    fix: "A worker did it, but its result does not fit the task's output schema: correct the worker or the schema, and repair by hand.",
  },
  PAWL2011: {
    name: "DispatchLost",
    fix: "The store lost a row that it had acknowledged: look at the receiver, answer the decision, and check the store (pawl doctor).",
  },
  PAWL2012: {
    name: "StepHeld",
    fix: "Find out why the step failed, then answer: retry, complete, resolve, skip or fail (pawl decisions, pawl resolve).",
  },
  PAWL2013: {
    name: "ReconciliationUnsupported",
    fix: "Use a store that reports conditionalBatch (all stores of Pawl do), or declare the step repeatable.",
  },
  PAWL2014: {
    name: "VerifyContradictsItself",
    fix: "Make verify return a result only with completed-with-result; look at the receiver, then answer the decision.",
  },
  PAWL2016: {
    name: "RunGivenUp",
    fix: "Find out what ends the process (memory, process.exit, a native crash) and correct it; then pawl retry <id> makes a new run.",
  },
  PAWL2031: {
    name: "CheckpointClash",
    fix: "Compare the run's log with its checkpoint: somebody recorded this superstep with another state. Nothing was overwritten.",
  },
  PAWL2033: {
    name: "ApprovalNeeded",
    fix: "Look at what the step would do, then answer: pawl resolve <id> --approve sends it, --refuse fails it; nothing was sent yet.",
  },
  PAWL2034: { name: "ApprovalRefused", fix: "A person refused this step, and nothing was sent; the log says who and why (pawl events)." },
  PAWL2035: {
    name: "QuestionOpen",
    fix: "Read the question (pawl decisions), then answer it: pawl answer <id> --value <json> --by <you>; the run continues with the answer.",
  },
  PAWL3001: { name: "StoreBusy", fix: "Other transactions held the database for too long: find the long transaction, then try again." },
  PAWL3002: {
    name: "StoreUnavailable",
    fix: "Check that the database is reachable and writable, and that the disk is not full. A running engine retries by itself; repeat every other call that failed.",
  },
  PAWL3003: { name: "UnsafeSettings", fix: "Open the store with durable settings, or accept the risk explicitly." },
  PAWL3004: { name: "FormatNotAdmitted", fix: "Use a version of Pawl that can work with this store, or migrate it: pawl migrate." },
  PAWL3005: { name: "RefusedText", fix: "Remove U+0000 and lone surrogates from ids and SQL parameters." },
  PAWL3006: {
    name: "CheckpointOwnershipCapabilityError",
    fix: 'Use a store that reports conditionalBatch, or choose checkpointOwnership: "single-owner" and run one engine.',
  },
  PAWL3007: { name: "BrokenInvariant", fix: "This is a bug in Pawl or in the store: keep a copy of the database and report it." },
  PAWL3008: { name: "SqlNotSupported", fix: "ctx.tx and the option tx need a store with SQL: open sqlite:, postgres: or mysql:." },
  PAWL3009: { name: "StoreClosed", fix: "Keep the engine open while its handles are in use." },
  PAWL3010: { name: "TransactionBroken", fix: "Do not begin, commit or roll back inside ctx.tx: Pawl does it." },
  PAWL3011: {
    name: "TransactionTooLong",
    fix: "Keep ctx.tx short: no calls outside the database, fewer statements. Everything was rolled back.",
  },
  PAWL3012: {
    name: "TransactionNotUsable",
    fix: "Pass as tx the connection on which you began a transaction, to the database of the store; the message says what is wrong.",
  },
  PAWL3013: {
    name: "StoreDamaged",
    fix: "Check that the path names the store. If it does: stop the engines, keep the file and its -wal, and restore a backup.",
  },
  PAWL3015: {
    name: "FeedNeedsTrigger",
    fix: "Have the owner of Pawl's tables grant the permission to create triggers on them, or create the feed's triggers: the message names them.",
  },
  PAWL3016: {
    name: "RunIsExternal",
    fix: "Ask the producer that appends to this run: no engine reads messages for it.",
  },
  PAWL3017: {
    name: "OwnershipLost",
    fix: "Stop when s.signal is aborted: another engine owns the run now, or this engine was stopped. If this happens often, raise the lease.",
  },
  PAWL3018: {
    name: "ContentRefused",
    fix: "The database does not accept this content: store large values elsewhere, shorten ids and keys, or raise the server's limit.",
  },
  PAWL3019: {
    name: "StoreFacetMissing",
    fix: "Use a store that has this facet (memory:, sqlite:, postgres:, mysql:), or add it to yours: the message names it.",
  },
  PAWL3025: {
    name: "StoreTooSlowToSend",
    fix: "Find out why the database answers so slowly, or give the step a longer timeout. Nothing was sent; the step's retry policy decides whether it is tried again.",
  },
  PAWL3030: {
    name: "LoginRefused",
    fix: "Check user and password in the store's URL, and that the server accepts this user from this machine (some only with TLS: ?ssl=true for mysql:); then open the store again.",
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
    fix: "Have the owner of the database create Pawl's tables (pawl migrate --sql prints the statements) and grant this user their use, or grant this user the permission to create them.",
  },
  PAWL3036: {
    name: "StoreIsReadOnly",
    fix: "Open the store where it can be written: correct the path or the file's permissions, use a file system that is not read-only, or the primary server instead of a replica.",
  },
  PAWL3037: { name: "ServerTooOld", fix: "Upgrade the database server: Pawl needs Postgres 13 or newer." },
  PAWL3038: {
    name: "NotTheOnlyOwner",
    fix: 'Stop the other engine, or wait until its lease has ended; checkpointOwnership "single-owner" means that there is one engine.',
  },
  PAWL4001: { name: "RunNotFound", fix: "Check the id, the store and the tenant: pawl ls lists the runs of one tenant." },
  PAWL4002: { name: "WorkflowIdTaken", fix: "Choose another id, or attach to the existing run." },
  PAWL4003: { name: "RunSettled", fix: "The run has ended and never changes; retry or restart starts a new run." },
  PAWL4004: {
    name: "SignalAcceptanceIndeterminate",
    fix: "Inspect the run's inbox before sending again: it may already have this signal.",
  },
  PAWL4005: { name: "InvalidSignalId", fix: "Send a signalId of 1 to 128 bytes of well-formed text, or leave it out." },
  PAWL4006: {
    name: "TimedOut",
    fix: "The run continues: ask again, or wait longer. pawl why <run> says what it waits for.",
  },
  PAWL4007: { name: "UpdateRejected", fix: "Send an update that the workflow's validation accepts." },
  PAWL4008: {
    name: "NotAWorkflow",
    fix: "Name a workflow that an engine has published (pawl workflows), or pass a value that workflow() returned.",
  },
  PAWL4009: { name: "InputMismatch", fix: "The same id was used with another input: use a new one." },
  PAWL4010: { name: "NotAllowedNow", fix: "The current state does not permit this; the message says what does." },
  PAWL4011: { name: "BadRequest", fix: "Correct the argument that the message names." },
  PAWL4012: {
    name: "StartKeyMissing",
    fix: "Send an idempotencyKey with the start: only the caller's key says which starts of this workflow are the same.",
  },
  PAWL4020: { name: "SchemaValidationFailed", fix: "Correct the event at the place that the message names, and append it again." },
  PAWL4021: {
    name: "InvalidTransition",
    fix: "Look at the run's log (pawl events): append what is missing, then clear the rejection and append the event again.",
  },
  PAWL4022: {
    name: "RunAlreadyExists",
    fix: "Choose another runId: this one belongs to a run of another plan, or to one that has started.",
  },
  PAWL4023: {
    name: "RunIsOwned",
    fix: "Append under another runId: an engine writes this run. To influence it, send it a signal or an update.",
  },
  PAWL4030: {
    name: "ConsumerBusy",
    fix: "Another process works under this consumer's name: wait for it, or stop it first.",
  },
  PAWL4031: {
    name: "PolicyDiffers",
    fix: "Use the policy that this store's projections were made with; to change it, rebuild them with the new policy.",
  },
  PAWL4032: {
    name: "OldEventRefused",
    fix: "Have the producer write events of version 2, or extend the compatibility window.",
  },
  PAWL4033: {
    name: "NotARecord",
    fix: "Give the projector persisted records of its own run: with runSeq and persistedAt, as the log has them.",
  },
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
  PAWL4040: {
    name: "LogRemoved",
    fix: "Retention removed the run's log after it had ended; its status is still known. Keep logs longer (keepRuns), or hold the run before.",
  },
  PAWL4041: {
    name: "PayloadsRemoved",
    fix: "Retention removed the run's payloads after it had ended; its events and times still exist. Keep payloads longer, or hold the run.",
  },
  PAWL4042: {
    name: "RunMoved",
    fix: "Use the store that the run was imported into; if it was never imported, pawl export --undo with the id that pawl inspect shows.",
  },
  PAWL4043: {
    name: "DamagedExport",
    fix: "Export again: the file is incomplete, was changed, or was written by a version that this Pawl does not read.",
  },
  PAWL4044: {
    name: "ImportConflict",
    fix: "Import into a store that has no other run with this id, workflowId or start key; nothing was overwritten.",
  },
  PAWL4050: {
    name: "DoneByAnEarlierRun",
    fix: "Look at what the earlier run did (pawl proof), then answer the decision. If it is a different effect, give the step another key and retry.",
  },
  PAWL4051: {
    name: "UndoneByAnEarlierRun",
    fix: "Find out whether the effect is in place at the receiver, then answer the decision: it happened, it did not happen, or fail the step.",
  },
  PAWL4052: {
    name: "CannotRerun",
    fix: "Name completed steps whose guarantee permits another send, with a person and a reason (see pawl retry --dry-run). To do an effect a second time, give the step another key.",
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
    fix: "Give an Ed25519 private key in PEM form, without a passphrase, that this process can read; for a new key, a path in a folder that it can write.",
  },
  PAWL4063: {
    name: "KeyFileExposed",
    fix: "Make the key file readable by its owner only: chmod 600 <file>. If others may have read it, make a new key.",
  },
  PAWL4064: {
    name: "KeyringInvalid",
    fix: "Give the public key file that pawl keys wrote beside the private key (<file>.pub), complete and unchanged.",
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
    fix: "Name a file that this process can read and write, in a folder that exists.",
  },
  PAWL4070: {
    name: "AlreadyAnswered",
    fix: "The first answer counts, and it was a different one: the message says who answered what, and when. Look at the run (pawl inspect) before you do more.",
  },
  PAWL4071: {
    name: "StoreNotNamed",
    fix: "Set the variable that names the store, or write the URL. To use the nearest .pawl folder, leave the option store out.",
  },
  PAWL4072: { name: "DecisionNotFound", fix: "List the open decisions: pawl decisions." },
  PAWL4080: {
    name: "NotAuthenticated",
    fix: "Send `Authorization: Bearer <token>` with a token of this server (pawl token create); the command line takes it from --token or PAWL_TOKEN_FILE.",
  },
  PAWL4081: {
    name: "NotPermitted",
    fix: "Ask somebody who may do this, or use a token whose scopes permit it; the message says what is missing.",
  },
  PAWL4082: { name: "CursorMismatch", fix: "Pass a cursor back only with the filter that it came from, or begin again without one." },
  PAWL4083: { name: "RunMovedOn", fix: "Read the run again, decide again, and send the request with its new head." },
  PAWL4084: { name: "TooManyRequests", fix: "Wait as long as Retry-After says, then send the request again." },
  PAWL4085: { name: "Draining", fix: "Send the request again: another process, or this one after its restart, answers it." },
  PAWL4086: { name: "NotOverHttp", fix: "Use a client on the store for this: connect({ store })." },
  PAWL4087: {
    name: "BodyRefused",
    fix: "Send one JSON value within the limits, as application/json. The message names the limit or the place.",
  },
  PAWL4088: { name: "ServerUnreachable", fix: "Check the address and that the server runs; a request with the same id may be sent again." },
  PAWL4090: { name: "ReasonRequired", fix: "Say why: add a reason (--reason on the command line). It is recorded." },
  PAWL4091: { name: "OriginRefused", fix: "Call the server under a name it knows (--host), from its own pages, or with a bearer token." },
  PAWL4092: { name: "TenantForbidden", fix: "Use a token of the tenant that this server serves." },
  PAWL4093: { name: "NoSuchOperation", fix: "Check the path or the method's name; /openapi.json lists all operations." },
  PAWL4094: {
    name: "NotRecorded",
    fix: "Send the request again. If it fails again, check the store: an operation that cannot be recorded in the audit log is not carried out.",
  },
  PAWL4095: { name: "NoSuchToken", fix: "Check the token's id; pawl token ls lists the tokens of a tenant." },
  PAWL4110: {
    name: "PreviewNotValid",
    fix: "Call the tool again without confirm, look at the new preview, and send its confirm text within five minutes.",
  },
  PAWL4120: { name: "NoSuchSchedule", fix: "Check the name; pawl schedules lists the schedules of a tenant." },
  PAWL4121: {
    name: "ScheduleCodeMissing",
    fix: "Fire it from a process whose engine was opened with this schedule: a function in its code makes the input.",
  },
  PAWL4122: {
    name: "ScheduleRunOpen",
    fix: 'Wait for the run that the message names, or cancel it; overlap: "allow" lets runs of a schedule run side by side.',
  },
  PAWL4130: {
    name: "WorkerNotRegistered",
    fix: "Register again with POST /v1/workers and continue under the new id; what the old one held is decided by class.",
  },
  PAWL4131: {
    name: "NoSuchQueue",
    fix: "Check the name; pawl queues lists the queues of a tenant. To prepare one that nobody uses yet: pawl queues set <queue>.",
  },
  PAWL4132: {
    name: "NotFound",
    fix: "Check the name in the message, and the tenant; the lists of templates, engines, steps, batches and investigations show what there is.",
  },
  PAWL5001: { name: "InvalidOption", fix: "Correct the option that the message names." },
  PAWL5002: { name: "UnknownStoreUrl", fix: "Use memory:, sqlite:<path>, postgres://…, mysql://… or a Store." },
  PAWL5003: { name: "EngineStopped", fix: "Start a new engine: a stopped one accepts no new work." },
  PAWL5004: { name: "DuplicateWorkflow", fix: "Register each workflow name once per engine." },
  PAWL5005: { name: "CannotLoadFile", fix: "Correct what the message names: the path, the error in the file, or what it exports." },
  PAWL5006: { name: "NoStoreHere", fix: "Create one with pawl init, or name it with --store sqlite:<path> or PAWL_STORE." },
  PAWL5007: { name: "FileExists", fix: "Choose another name, or move the existing file." },
  PAWL5008: {
    name: "DriverMissing",
    fix: "Install the driver's package beside Pawl: npm install pg, or npm install mysql2; in a bundle mark it as external (docs/bundling.md).",
  },
  PAWL5009: {
    name: "PlaceholderVerifier",
    fix: "Give confirm a verifier that checks the resource (pawl/verifiers); the placeholder is for development only.",
  },
  PAWL5010: {
    name: "UnexpectedError",
    fix: "Read the message; PAWL_DEBUG=1 prints the stack trace. If the error comes from Pawl itself, report it.",
  },
  PAWL5012: {
    name: "DuplicateTask",
    fix: "Give one of the two tasks another name, or a version: workers find a task on a queue by its name and version.",
  },
  PAWL5020: {
    name: "InvalidWebhookSecret",
    fix: "Use whsec_ and base64 of 24 to 64 bytes, whsk_… to sign or whpk_… to verify; or let Pawl make one.",
  },
  PAWL5021: { name: "InvalidEndpoint", fix: "Correct what the message names: an https URL, event types, times, attempts." },
  PAWL5030: {
    name: "NoPlaceToTest",
    fix: "Give the user of this URL the permission to create a schema (Postgres) or a database (MySQL, MariaDB), or test on sqlite:.",
  },
  PAWL5031: { name: "CrashTestProcessFailed", fix: "Run the file by itself first (pawl run); the message has what the process wrote." },
  PAWL5032: {
    name: "CrashTestTimedOut",
    fix: "Give the signals that the run waits for (--signal), shorten its waits, or raise --timeout.",
  },
  PAWL5033: { name: "TestRunBlocked", fix: "Send what the run waits for before you wait for its result; the message says what that is." },
  PAWL5040: {
    name: "AuthRequired",
    fix: "Make a token (pawl token create) or configure JWT. On loopback addresses --open works without them.",
  },
  PAWL5041: { name: "BodyConsumed", fix: "Mount Pawl's handler before body parsers: it reads the request itself." },
  PAWL5042: { name: "UnsafeServer", fix: "Change what the message names, or listen on a loopback address." },
  PAWL5050: { name: "DuplicateSchedule", fix: "Give each schedule of an engine a name of its own." },
  PAWL5060: { name: "NoDevServer", fix: "Start one in this folder: pawl dev ./order.ts." },
  PAWL5061: { name: "PortInUse", fix: "Stop what listens there, or choose another port: --listen 127.0.0.1:7351." },
  PAWL5062: {
    name: "UnservedRuns",
    fix: 'Start the engine with the code of the named workflows, end their runs, or leave them to other engines: recovery "shared" or "skip".',
  },
} as const;

catalogue satisfies Record<string, Entry>;

export type Code = keyof typeof catalogue;
