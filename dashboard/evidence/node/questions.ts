// A browser answers some questions only later: what bytes inflate to, whether a signature fits. The verifier asks at once, so it is run again until every
// question that it asks has been answered. An answer never changes. It must never be guessed: without one the asker fails.

type Answer = { readonly value: unknown } | { readonly error: unknown };

const answers = new Map<string, Answer>();
const pending = new Map<string, Promise<void>>();

export class NotAnsweredYet extends Error {}

/** The answer, if it is known by now; else it is asked for, and this throws. */
export function answerTo<T>(key: string, ask: () => Promise<T>): T {
  const known = answers.get(key);
  if (known === undefined) {
    if (!pending.has(key))
      pending.set(
        key,
        ask().then(
          (value) => void answers.set(key, { value }),
          (error: unknown) => void answers.set(key, { error }),
        ),
      );
    throw new NotAnsweredYet(key);
  }
  if ("error" in known) throw known.error;
  return known.value as T;
}

/** Runs `work` until it asks nothing new. */
export async function untilAnswered<T>(work: () => T): Promise<T> {
  answers.clear();
  for (;;) {
    pending.clear();
    let result: { readonly value: T } | undefined;
    let failed: unknown;
    try {
      result = { value: work() };
    } catch (e) {
      failed = e;
    }
    if (pending.size > 0) await Promise.all(pending.values());
    else if (result !== undefined) return result.value;
    else throw failed;
  }
}
