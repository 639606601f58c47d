// Every operation and what answers it. A missing one does not
// compile: the table is made of the files beside it, one per area.
import type { Handlers } from "../call.ts";
import { accessHandlers } from "./access.ts";
import { batchHandlers } from "./batches.ts";
import { controlHandlers } from "./control.ts";
import { infoHandlers } from "./info.ts";
import { ledgerHandlers } from "./ledger.ts";
import { logHandlers } from "./logs.ts";
import { messageHandlers } from "./messages.ts";
import { planHandlers } from "./plans.ts";
import { readerHandlers } from "./readers.ts";
import { runHandlers } from "./runs.ts";
import { queueHandlers } from "./queues.ts";
import { scheduleHandlers } from "./schedules.ts";
import { webhookHandlers } from "./webhooks.ts";
import { workerHandlers } from "./workers.ts";
import { workflowHandlers } from "./workflows.ts";

export const handlers: Handlers = {
  ...runHandlers,
  ...logHandlers,
  ...messageHandlers,
  ...controlHandlers,
  ...batchHandlers,
  ...ledgerHandlers,
  ...workflowHandlers,
  ...queueHandlers,
  ...scheduleHandlers,
  ...workerHandlers,
  ...planHandlers,
  ...webhookHandlers,
  ...readerHandlers,
  ...accessHandlers,
  ...infoHandlers,
};
