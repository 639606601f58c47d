// Screen 7: what runs the runs. Engines and their leases, workflows and their versions, queues and workers, schedules, events out, batches, the store, tokens, the
// audit log: each a page of its own with an address. What a caller may not see is not offered.
import type { JSX } from "preact";
import type { AccessScope } from "../../../src/core/principal.ts";
import type { ScreenProps } from "../../app/screen.tsx";
import { may } from "../../data/session.ts";
import { Audit, Tokens } from "./access.tsx";
import { Batches } from "./batches.tsx";
import { Alerts, Consumers, Webhooks } from "./events-out.tsx";
import { Engines, Store } from "./engines.tsx";
import { Investigations } from "./investigations.tsx";
import { Queues, Workers } from "./queues.tsx";
import { Schedules } from "./schedules.tsx";
import { Templates } from "./templates.tsx";
import { Workflows } from "./workflows.tsx";
import "../../style/effects.css";
import "../../style/operations.css";
import "../../style/value.css";

const pages: Readonly<Record<string, { readonly title: string; readonly scope: AccessScope; readonly of: () => JSX.Element }>> = {
  engines: { title: "Engines", scope: "read", of: Engines },
  workflows: { title: "Workflows", scope: "read", of: WorkflowsAndTemplates },
  queues: { title: "Queues", scope: "read", of: Queues },
  workers: { title: "Workers", scope: "read", of: Workers },
  schedules: { title: "Schedules", scope: "read", of: Schedules },
  webhooks: { title: "Webhooks", scope: "operate", of: Webhooks },
  consumers: { title: "Consumers", scope: "read", of: Consumers },
  alerts: { title: "Alerts", scope: "read", of: AlertsAndInvestigations },
  batches: { title: "Batches", scope: "operate", of: Batches },
  store: { title: "Store", scope: "read", of: Store },
  tokens: { title: "Tokens", scope: "admin", of: Tokens },
  audit: { title: "Audit", scope: "export", of: Audit },
};

export function Operations({ ids: [name = "engines"] }: ScreenProps): JSX.Element {
  const page = Object.hasOwn(pages, name) ? pages[name]! : pages["engines"]!;
  const Of = page.of;
  return (
    <section>
      <h1>Operations</h1>
      <nav class="tabs" aria-label="Operations">
        {Object.entries(pages)
          .filter(([, { scope }]) => may(scope))
          .map(([path, { title }]) => (
            <a key={path} href={`#/operations/${path}`} {...(pages[path] === page ? { "aria-current": "page" } : {})}>
              {title}
            </a>
          ))}
      </nav>
      <h2 class="hidden-text">{page.title}</h2>
      {may(page.scope) ? <Of /> : <p>This needs a token with the scope {page.scope}.</p>}
    </section>
  );
}

function WorkflowsAndTemplates(): JSX.Element {
  return (
    <>
      <Workflows />
      <h2>Templates</h2>
      <Templates />
    </>
  );
}

function AlertsAndInvestigations(): JSX.Element {
  return (
    <>
      <Alerts />
      <h2>Investigations</h2>
      <Investigations />
    </>
  );
}
