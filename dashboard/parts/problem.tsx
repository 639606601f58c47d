// A problem as the server said it: the sentence, the code, what to do. Nothing is swallowed, and nothing is shown as an alarm that only needs patience.
// The text is the server's; it is never parsed.
import type { JSX } from "preact";
import type { PawlError } from "../../src/errors/error.ts";
import { linkTo } from "../data/route.ts";
import { Plain } from "./text.tsx";

export function Problem({ error, again }: { readonly error: PawlError; readonly again?: () => void }): JSX.Element {
  return (
    <div class="problem" role="alert">
      <p>
        <Plain text={error.message} max={2_000} />
      </p>
      <p class="quiet">
        <a href={linkTo(["errors", error.page])}>{error.page}</a> {error.fix === undefined ? null : <Plain text={error.fix} max={600} />}
      </p>
      {again === undefined ? null : (
        <button type="button" onClick={again}>
          Try again
        </button>
      )}
    </div>
  );
}
