// How to sign in: a token, once. It is sent to this server only, buys a session and is forgotten. The same page says when the server cannot be reached, and
// why a session ended.
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { sessionState, signIn, signInProblem, startSession } from "../data/session.ts";
import { Command } from "../parts/copy.tsx";
import { Mark } from "../parts/mark.tsx";
import { Plain } from "../parts/text.tsx";

export function SignIn(): JSX.Element {
  const [token, setToken] = useState("");
  const submit = (e: Event): void => {
    e.preventDefault();
    if (token.trim() !== "") void signIn(token).then(() => setToken(""));
  };
  const problem = signInProblem.value;
  const away = sessionState.value === "unreachable";
  return (
    <main class="sign-in">
      <h1 class="brand">
        <Mark /> Pawl
      </h1>
      {problem === undefined ? null : (
        <p class="problem" role="alert">
          <Plain text={problem} max={600} />
        </p>
      )}
      {away ? (
        <button type="button" class="primary" onClick={() => void startSession()}>
          Try again
        </button>
      ) : (
        <form onSubmit={submit}>
          <label for="token">Token</label>
          <input
            id="token"
            type="password"
            autocomplete="off"
            spellcheck={false}
            value={token}
            onInput={(e) => setToken(e.currentTarget.value)}
          />
          <button type="submit" class="primary">
            Sign in
          </button>
          <p class="quiet">
            Somebody who can reach the store makes one. Choose what it may do: a viewer reads, an operator acts, a decider answers.
          </p>
          <Command text="pawl token create --tenant tenant/project/environment --subject ann --kind person --role operator" />
        </form>
      )}
    </main>
  );
}
