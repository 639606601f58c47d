// Who may come in, and who did what: tokens, made here and shown once, revoked with a reason; and the audit log. A secret stands on the page until it is closed,
// and nowhere else.
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { accessScopes, principalName, type AccessScope } from "../../../src/core/principal.ts";
import type { AuditRecord, TokenView } from "../../../src/access/types.ts";
import { linkTo } from "../../data/route.ts";
import { call } from "../../data/server.ts";
import { me } from "../../data/session.ts";
import { Act } from "../../parts/act.tsx";
import { Badge } from "../../parts/badges.tsx";
import { Command } from "../../parts/copy.tsx";
import { ListTable } from "../../parts/table.tsx";
import { Id, Plain } from "../../parts/text.tsx";
import { Ago, Moment } from "../../parts/time.tsx";

export function Tokens(): JSX.Element {
  const [secret, setSecret] = useState<string | undefined>(undefined);
  return (
    <ListTable
      what="tokens"
      read={(signal) => call("tokens.list", { limit: 200 }, { signal })}
      idOf={(t) => t.tokenId}
      empty={{
        title: "No tokens",
        text: "Everybody who reaches this server uses open mode, a sign-on of its host, or an identity provider.",
      }}
      top={(reload) => (
        <>
          {secret === undefined ? null : (
            <div class="secret" role="status">
              <p>This is its secret. It is not shown again.</p>
              <Command text={secret} />
              <button type="button" class="small" onClick={() => setSecret(undefined)}>
                I have it
              </button>
            </div>
          )}
          <NewToken
            onMade={(text) => {
              setSecret(text);
              reload();
            }}
          />
        </>
      )}
      columns={[
        { title: "Token", cell: (t) => <Id text={t.tokenId} /> },
        { title: "For", cell: (t) => <Plain text={`${t.subject} (${t.kind})`} max={60} /> },
        { title: "May", cell: (t) => <Plain text={t.scopes.join(", ")} max={120} /> },
        { title: "Made by", cell: (t) => <Plain text={t.createdBy ?? ""} max={40} /> },
        { title: "Made", cell: (t) => <Ago at={t.createdAt} /> },
        { title: "Until", cell: (t) => (t.revokedAt === undefined ? <Ago at={t.expiresAt} /> : <Badge tone="ended" text="revoked" />) },
        { title: "", cell: (t, reload) => (t.revokedAt === undefined ? <Revoke token={t} reload={reload} /> : null) },
      ]}
    />
  );
}

function NewToken({ onMade }: { readonly onMade: (secret: string) => void }): JSX.Element {
  const [subject, setSubject] = useState("");
  const [kind, setKind] = useState<"person" | "service" | "agent">("person");
  const [scopes, setScopes] = useState<readonly AccessScope[]>(["read"]);
  const own = me.value?.scopes ?? [];
  return (
    <p>
      <Act
        label="New token …"
        title="Make a token"
        verb="Make it"
        reason="none"
        act={async () => {
          const made = await call("tokens.create", { subject: subject.trim(), kind, scopes: [...scopes] });
          onMade(made.token);
        }}
      >
        <label>
          For whom
          <input type="text" required value={subject} onInput={(e) => setSubject(e.currentTarget.value)} />
        </label>
        <label>
          Kind{" "}
          <select value={kind} onChange={(e) => setKind(e.currentTarget.value as typeof kind)}>
            <option value="person">person</option>
            <option value="service">service</option>
            <option value="agent">agent</option>
          </select>
        </label>
        <fieldset>
          <legend>May</legend>
          {accessScopes
            .filter((s) => own.includes(s))
            .map((s) => (
              <label key={s}>
                <input
                  type="checkbox"
                  checked={scopes.includes(s)}
                  onChange={(e) => setScopes(e.currentTarget.checked ? [...scopes, s] : scopes.filter((x) => x !== s))}
                />{" "}
                {s}
              </label>
            ))}
        </fieldset>
      </Act>
    </p>
  );
}

function Revoke({ token, reload }: { readonly token: TokenView; readonly reload: () => void }): JSX.Element {
  return (
    <Act
      label="Revoke …"
      title="Revoke this token?"
      verb="Revoke it"
      danger
      act={async (reason) => {
        await call("tokens.revoke", { tokenId: token.tokenId, reason });
        reload();
      }}
    >
      <p>Every server refuses it within five seconds, and the sessions that it bought end with it.</p>
    </Act>
  );
}

/** The operation, and what it was about: a run, or something else by its name. */
function Audited({ of: { operation, runId, target, times } }: { readonly of: AuditRecord }): JSX.Element {
  return (
    <>
      <Plain text={operation} max={60} />
      {times === undefined || times < 2 ? null : <span class="num faint"> ×{times}</span>}
      {runId === undefined ? null : (
        <div class="small">
          <a href={linkTo(["runs", runId])}>
            <Id text={runId} max={40} />
          </a>
        </div>
      )}
      {target === undefined ? null : (
        <div class="small quiet">
          <Plain text={target} max={100} />
        </div>
      )}
    </>
  );
}

export function Audit(): JSX.Element {
  return (
    <ListTable
      what="audit"
      read={(signal) => call("audit.list", { limit: 100 }, { signal })}
      idOf={(r) => r.id}
      empty={{
        title: "Nothing was recorded",
        text: "Changes, refusals and reads of payloads are recorded here, chained so that a gap shows.",
      }}
      columns={[
        { title: "When", cell: (r) => <Moment at={r.at} /> },
        {
          title: "Who",
          cell: (r) =>
            r.principal === undefined ? <span class="faint">nobody</span> : <Plain text={principalName(r.principal)} max={60} />,
        },
        { title: "What", cell: (r) => <Audited of={r} /> },
        { title: "Reason", cell: (r) => <Plain text={r.reason ?? ""} max={200} /> },
        { title: "Decision", cell: (r) => <Badge tone={r.decision === "granted" ? "good" : "bad"} text={r.decision} /> },
        { title: "Outcome", cell: (r) => (r.outcome === undefined ? "" : <span class="num">{r.outcome.status}</span>) },
      ]}
    />
  );
}
