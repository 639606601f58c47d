// One attempt: an event as text, in an envelope signed with the endpoint's keys of this moment, to the endpoint's URL. Guards that
// what an endpoint says never exceeds what this process permits (https, public addresses). It decides nothing.
import type { Scope } from "../core/model.ts";
import type { Platform } from "../platform/platform.ts";
import type { HttpPostResult, HttpPoster } from "../platform/net/post.ts";
import type { FullStore } from "../store/full-store.ts";
import type { EventRecord, RunRow } from "../store/port.ts";
import { cloudEventText, contentType, sourceOf, testEventText } from "./cloud-event.ts";
import { signingKeys, type Endpoint } from "./endpoints.ts";
import { signedHeaders } from "./signature-headers.ts";
import type { Permissions } from "./types.ts";

export interface SenderContext {
  readonly store: FullStore;
  readonly platform: Platform;
  readonly scope: Scope;
  readonly post: HttpPoster;
}

/** A longer event leaves without its payload. */
export const bodyBytesStandard = 262_144;

export class AttemptSender {
  readonly #c: SenderContext;
  readonly #permissions: Permissions;
  readonly #bodyBytesMax: number;
  #source: string | null = null;

  constructor(c: SenderContext, may: Permissions, bodyBytesMax: number = bodyBytesStandard) {
    this.#c = c;
    this.#permissions = may;
    this.#bodyBytesMax = bodyBytesMax;
  }

  async sendEvent(to: Endpoint, run: RunRow, e: EventRecord): Promise<HttpPostResult> {
    return this.#post(to, e.eventId, cloudEventText(await this.#from(), run, e, this.#bodyBytesMax));
  }

  async sendTest(to: Endpoint): Promise<HttpPostResult> {
    const id = this.#c.platform.uuidV4();
    return this.#post(to, id, testEventText(await this.#from(), id, this.#c.platform.wallMs(), to.id));
  }

  async #from(): Promise<string> {
    this.#source ??= sourceOf((await this.#c.store.info()).storeId, this.#c.scope);
    return this.#source;
  }

  async #post(to: Endpoint, id: string, body: string): Promise<HttpPostResult> {
    const url = new URL(to.url);
    if (url.protocol !== "https:" && this.#permissions.allowInsecure !== true)
      return { kind: "unanswered", reason: "http: is not permitted here", blocked: true };
    const nowMs = this.#c.platform.wallMs();
    const headers = { "content-type": contentType, "user-agent": "pawl", ...signedHeaders(id, nowMs, body, signingKeys(to, nowMs)) };
    this.#c.platform.hit("webhook:send");
    const answer = await this.#c.post({
      url,
      headers,
      body,
      timeoutMs: to.timeoutMs,
      allowPrivate: this.#permissions.allowPrivate === true,
    });
    this.#c.platform.hit("webhook:sent");
    return answer;
  }
}
