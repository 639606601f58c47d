// The page of the contract as it is published: what it governs and what it leaves to others. The ids here are about what is said, so
// the text is what is tested.
import { describe, expect, it } from "vitest";
import { contractVersion, runEventTypes, stepEventTypes } from "../../src/core/contract.ts";
import { pawlEvents } from "../../src/events/payload.ts";
import { proves } from "../support/proves.ts";
import { pageText, pageSource } from "./read-page.ts";

describe("contract/schema/README.md", () => {
  it(
    "the contract says that it is normative, whose events it governs, and that acceptance of signals is not among them",
    proves("D-001", "D-002", "D-003"),
    () => {
      const page = pageText("contract/schema/README.md");
      expect(page).toContain("MUST, SHOULD and MAY are those of RFC 2119 and RFC 8174");
      expect(page).toContain("is a breaking change and needs a new major version");
      expect(page).toContain(
        "Lifecycle events of runs and of their steps, whoever emits them: the engine, or a worker that an adapter owns",
      );
      expect(page).toContain("`SignalAccepted` and `SignalRejected` belong to the contract of signals");
      for (const type of ["SignalAccepted", "SignalRejected"]) {
        expect([...runEventTypes, ...stepEventTypes]).not.toContain(type);
        expect(Object.values(pawlEvents)).not.toContain(type);
      }
      for (const file of ["RunEventWrite.schema.json", "RunEventRecord.schema.json", "InvalidTransitionAlert.schema.json"])
        expect((JSON.parse(pageSource(`contract/schema/${file}`)) as { title: string }).title).toContain(contractVersion);
    },
  );
});
