// POST and DELETE /session: a browser exchanges a token or a JWT for a session, and ends it. The answer holds the half of the secret that the page keeps; the
// other half is in the cookie. Neither a session nor a token for one run can be exchanged for a session.
import { toTimeText } from "../../events/envelope.ts";
import { PawlError } from "../../errors/error.ts";
import type { Platform } from "../../platform/platform.ts";
import { type ServedAnswer, jsonAnswer } from "../http/answer.ts";
import type { Inbound } from "../http/inbound.ts";
import type { Admitted, RequestPath } from "../operate.ts";
import type { ServerAuthenticator } from "./principal.ts";
import { setCookie } from "./session-cookie.ts";

export class SessionResponder {
  readonly #path: RequestPath;
  readonly #authenticator: ServerAuthenticator;
  readonly #platform: Platform;
  readonly #behindProxy: boolean;

  constructor(path: RequestPath, authenticator: ServerAuthenticator, platform: Platform, behindProxy: boolean) {
    this.#path = path;
    this.#authenticator = authenticator;
    this.#platform = platform;
    this.#behindProxy = behindProxy;
  }

  async answer(inbound: Inbound, traceId: string): Promise<ServedAnswer> {
    const admitted = await this.#path.admit(inbound, traceId);
    try {
      return await (inbound.method === "POST" ? this.#buy(admitted) : this.#end(admitted));
    } finally {
      admitted.end();
    }
  }

  async #buy({ caller, inbound }: Admitted): Promise<ServedAnswer> {
    if ((caller.by !== "token" && caller.by !== "jwt") || caller.run !== undefined || caller.principal.onBehalfOf !== undefined)
      throw new PawlError("PAWL4081", "a session is bought with a bearer token of one's own, and not with one for a single run");
    const { principal, scopes, queues, tokenId, createdBy, expiresAt } = caller;
    const made = await this.#authenticator.sessions.create({
      principal,
      scopes,
      ...(queues === undefined ? {} : { queues }),
      ...(tokenId === undefined ? {} : { tokenId }),
      ...(createdBy === undefined ? {} : { createdBy }),
      ...(expiresAt === undefined ? {} : { expiresAt }),
    });
    const secondsLeft = (made.expiresAt - this.#platform.wallMs()) / 1_000;
    const body = { session: made.half, expiresAt: toTimeText(made.expiresAt), principal, scopes };
    return this.#respond(inbound, 201, body, made.cookie, secondsLeft);
  }

  async #end({ caller, inbound }: Admitted): Promise<ServedAnswer> {
    if (caller.sessionId === undefined)
      throw new PawlError("PAWL4081", "only a session can be ended here; revoke a token with tokens.revoke");
    await this.#authenticator.sessions.end(caller.sessionId);
    return this.#respond(inbound, 200, { ended: true }, "", 0);
  }

  #respond(inbound: Inbound, status: number, body: unknown, cookie: string, secondsLeft: number): ServedAnswer {
    const secure = this.#behindProxy || new URL(inbound.request.url).protocol === "https:";
    return jsonAnswer(status, body, { "set-cookie": setCookie(inbound.headers, secure, cookie, secondsLeft) });
  }
}
