// Makes the items of a stream from the log of a graph, event by event. The same log gives the same items with the same places, so that a listener
// who was cut continues where it was. Pure: no code of the author's is run. An item comes only from what is committed.
import type { GraphLogItem, GraphStreamMode } from "../../api/types/graph-stream.ts";
import type { OpenQuestion } from "../../api/types/questions.ts";
import { graphFold } from "../../core/fold/graph.ts";
import { readSuperstep } from "../../core/graph/superstep.ts";
import type { EventRecord } from "../../events/event.ts";
import { valueFrom } from "../../events/graph-log.ts";
import { openQuestions, type AskedQuestion } from "../../events/open-questions.ts";
import { pawlEvents } from "../../events/payload.ts";

/** Where an item stands: the `index`-th (from 1) of its superstep, among the modes that were asked for. */
export interface StreamPlace {
  readonly superstep: number;
  readonly index: number;
}
export interface PlacedItem {
  readonly place: StreamPlace;
  readonly item: GraphLogItem;
}

export class GraphStream {
  readonly #modes: ReadonlySet<GraphStreamMode>;
  readonly #after: StreamPlace;
  readonly #questionOf: (asked: AskedQuestion) => OpenQuestion;
  readonly #state = graphFold.empty();
  readonly #asked = new Map<string, OpenQuestion>();
  #index = 0;

  /** `after`: what stands up to there is left out. */
  constructor(modes: readonly GraphStreamMode[], after: StreamPlace, questionOf: (asked: AskedQuestion) => OpenQuestion) {
    this.#modes = new Set(modes);
    this.#after = after;
    this.#questionOf = questionOf;
  }

  /** The items that this event adds. Every event of the log must be given, in order. */
  add(e: EventRecord): readonly PlacedItem[] {
    if (e.eventType === pawlEvents.superstep) return this.#superstep(e);
    graphFold.add(this.#state, e);
    return this.#modes.has("questions") ? this.#question(e) : [];
  }

  #superstep(e: EventRecord): readonly PlacedItem[] {
    const s = this.#state;
    const { items } = readSuperstep(e.payload ?? "{}", s.parts);
    graphFold.add(s, e);
    const { n: superstep, key } = s;
    const placed: PlacedItem[] = [];
    if (this.#modes.has("updates"))
      for (const { node, item, update, failure } of items) {
        if (update === undefined && failure === undefined) continue;
        const said = update === undefined ? { failure: failure! } : { update: valueFrom(update) as Readonly<Record<string, unknown>> };
        placed.push(...this.#place(superstep, () => ({ mode: "updates", superstep, node, item, ...said })));
      }
    if (this.#modes.has("values"))
      placed.push(
        ...this.#place(superstep, () => {
          const values = Object.fromEntries(Object.entries(s.values).map(([name, tree]) => [name, valueFrom(tree)]));
          return { mode: "values", superstep, key, values };
        }),
      );
    this.#index = 0;
    return placed;
  }

  #question(e: EventRecord): readonly PlacedItem[] {
    const superstep = this.#state.n + 1;
    const id = e.stepId ?? "";
    const known = this.#asked.get(id);
    if (e.eventType === "StepStarted" && known === undefined) {
      const [asked] = openQuestions([e]);
      if (asked === undefined) return [];
      const question = this.#questionOf(asked);
      this.#asked.set(id, question);
      return this.#place(superstep, () => ({ mode: "questions", superstep, state: "asked", question }));
    }
    if (known === undefined || (e.eventType !== "StepCompleted" && e.eventType !== "StepFailed")) return [];
    this.#asked.delete(id);
    return this.#place(superstep, () => ({ mode: "questions", superstep, state: "closed", question: known }));
  }

  #place(superstep: number, make: () => GraphLogItem): readonly PlacedItem[] {
    const place = { superstep, index: ++this.#index };
    const { superstep: n, index } = this.#after;
    return superstep < n || (superstep === n && place.index <= index) ? [] : [{ place, item: make() }];
  }
}
