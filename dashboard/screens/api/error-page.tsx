// The page of an error code, as `pawl explain` prints it. Text, not markup: it is shown as it is written.
// Every problem on every screen leads here.
import type { JSX } from "preact";
import type { ScreenProps } from "../../app/screen.tsx";
import { useLoad } from "../../data/load.ts";
import { call } from "../../data/server.ts";
import { Loading } from "../../parts/empty.tsx";
import { Problem } from "../../parts/problem.tsx";
import "../../style/operations.css";

export function ErrorPage({ ids: [code = ""] }: ScreenProps): JSX.Element {
  const { value, error, reload } = useLoad(`error ${code}`, (signal) => call("errors.explain", { code }, { signal }));
  if (error !== undefined) return <Problem error={error} again={reload} />;
  if (value === undefined) return <Loading what="its page" />;
  return (
    <article>
      <h1>
        {value.code} {value.name}
      </h1>
      <pre class="page-text">{value.page.replace(/^# .*\n+/, "")}</pre>
    </article>
  );
}
