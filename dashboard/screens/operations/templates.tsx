// Registered templates: DAGs as data, with their version and digest, what each says, and retiring one. A new one is registered from the command line, where the file is
// checked as a whole. What a template says is read when somebody opens it.
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { TemplateView } from "../../../src/api/types/plan.ts";
import { problemOf } from "../../data/load.ts";
import { call } from "../../data/server.ts";
import { may } from "../../data/session.ts";
import { Act } from "../../parts/act.tsx";
import { Badge } from "../../parts/badges.tsx";
import { ListTable } from "../../parts/table.tsx";
import { Id, Plain } from "../../parts/text.tsx";
import { Ago } from "../../parts/time.tsx";
import { Value } from "../../parts/value.tsx";

export function Templates(): JSX.Element {
  return (
    <ListTable
      what="templates"
      read={(signal) => call("templates.list", { limit: 200 }, { signal })}
      idOf={(t) => `${t.namespace} ${t.name} ${t.version}`}
      empty={{ title: "No templates", text: "A template is a DAG as data: pawl templates put ./order.yaml registers one." }}
      columns={[
        { title: "Template", cell: (t) => <Named of={t} /> },
        { title: "Version", cell: (t) => <Plain text={t.version} max={40} /> },
        {
          title: "State",
          cell: (t) => (t.retired === undefined ? <Badge tone="good" text="in use" /> : <Retired of={t.retired} />),
        },
        { title: "Digest", cell: (t) => <Id text={t.digest} max={20} /> },
        { title: "Registered", cell: (t) => <Ago at={t.registeredAt} /> },
        { title: "", cell: (t, reload) => (t.retired === undefined && may("operate") ? <Retire template={t} reload={reload} /> : null) },
      ]}
    />
  );
}

/** Its name; what it says opens below. */
function Named({ of: { namespace, name, version } }: { readonly of: TemplateView }): JSX.Element {
  const [said, say] = useState<{ readonly template?: unknown; readonly problem?: string } | undefined>(undefined);
  const open = (): void => {
    if (said !== undefined) return say(undefined);
    call("templates.get", { namespace, name, version }).then(
      ({ template }) => say({ template }),
      (e: unknown) => say({ problem: problemOf(e).message }),
    );
  };
  return (
    <>
      <Plain text={`${namespace} / ${name}`} max={120} />{" "}
      <button type="button" class="small quiet-button" aria-expanded={said !== undefined} onClick={open}>
        {said === undefined ? "What it says" : "Close"}
      </button>
      {said === undefined ? null : said.problem === undefined ? <Value of={said.template} /> : <Plain text={said.problem} max={600} />}
    </>
  );
}

function Retired({ of: { by, reason } }: { readonly of: NonNullable<TemplateView["retired"]> }): JSX.Element {
  return (
    <>
      <Badge tone="ended" text="retired" />
      <div class="small quiet">
        by <Plain text={by} max={60} />: <Plain text={reason} max={200} />
      </div>
    </>
  );
}

function Retire({ template, reload }: { readonly template: TemplateView; readonly reload: () => void }): JSX.Element {
  const { namespace, name, version } = template;
  return (
    <Act
      label="Retire …"
      title="Retire this version?"
      verb="Retire it"
      danger
      act={async (reason) => {
        await call("templates.retire", { namespace, name, version, reason });
        reload();
      }}
    >
      <p>Nothing new is started of it. Its runs continue. It cannot be taken back.</p>
    </Act>
  );
}
