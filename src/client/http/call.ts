// The way from a verb to an operation: it makes the id that a write carries before the first try, sends the request, and reads lists to their end.
// Every verb of the HTTP client goes through here; it must never know what an operation means.
import { addressOf } from "../../api/address.ts";
import type { OperationInput, OperationOutput } from "../../api/operation-types.ts";
import { type Operation, operationSpecs } from "../../api/operations.ts";
import { sendRequest, type SendOptions } from "./retry.ts";
import type { HttpTarget } from "./target.ts";

/** What every verb is made of. */
export interface HttpCaller {
  readonly target: HttpTarget;
  call<O extends Operation>(operation: O, input: OperationInput<O>, o?: SendOptions): Promise<OperationOutput<O>>;
}

export function callerOf(target: HttpTarget): HttpCaller {
  return {
    target,
    call: async (operation, input, o = {}) => {
      const members = withId(operation, input as Readonly<Record<string, unknown>>, target);
      return (await sendRequest(target, operation, addressOf(operation, members), o)) as never;
    },
  };
}

/** The same id on every try: what was done once is not done again. */
function withId(operation: Operation, input: Readonly<Record<string, unknown>>, t: HttpTarget): Readonly<Record<string, unknown>> {
  const { idempotentBy } = operationSpecs[operation];
  if (idempotentBy === undefined || input[idempotentBy] !== undefined || input["dryRun"] === true) return input;
  return { ...input, [idempotentBy]: t.web.uuidV4() };
}

/** Every item of a list, page after page. */
export async function readAll<T>(
  page: (cursor: { readonly cursor?: string }) => Promise<{ readonly items: readonly T[]; readonly nextCursor?: string }>,
): Promise<readonly T[]> {
  const items: T[] = [];
  for (let cursor: string | undefined; ;) {
    const read = await page(cursor === undefined ? {} : { cursor });
    items.push(...read.items);
    cursor = read.nextCursor;
    if (cursor === undefined) return items;
  }
}

export function cursorOf(nextCursor: string | undefined): { readonly cursor?: string } {
  return nextCursor === undefined ? {} : { cursor: nextCursor };
}
