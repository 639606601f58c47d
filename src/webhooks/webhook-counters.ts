// What delivering counts, in Prometheus' text exposition. Counters only ever rise; an endpoint's id is the only label, since
// ids of runs and events would each be a time series of their own.
const names = {
  pawl_webhook_attempts_total: "Requests made to endpoints",
  pawl_webhook_delivered_total: "Events that an endpoint accepted",
  pawl_webhook_failures_total: "Requests that were refused or not answered",
  pawl_webhook_dead_total: "Events given up after their last attempt",
  pawl_webhook_gone_total: "Times an endpoint asked for no more and was paused",
} as const;
export type WebhookCounter = keyof typeof names;

export class WebhookCounters {
  readonly #counts = new Map<WebhookCounter, Map<string, number>>();

  add(name: WebhookCounter, endpoint: string): void {
    const of = this.#counts.get(name) ?? new Map<string, number>();
    this.#counts.set(name, of.set(endpoint, (of.get(endpoint) ?? 0) + 1));
  }

  expose(): string {
    let out = "";
    for (const [name, what] of Object.entries(names)) {
      out += `# HELP ${name} ${what}\n# TYPE ${name} counter\n`;
      for (const [endpoint, n] of this.#counts.get(name as WebhookCounter) ?? []) out += `${name}{endpoint="${endpoint}"} ${n}\n`;
    }
    return out;
  }
}
