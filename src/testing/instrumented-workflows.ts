// Watches the code of workflows from outside: each definition gets a twin whose calls pass through here on their way to the
// engine. That is how tests put another function in a task's place, count what begins, know where in a file a step was called,
// and tell a workflow's own code from step functions. What the engine records is the same with and without.
import { compensationId, StepNames } from "../core/step-id.ts";
import type { Calls, ChildSpec, EffectSpec, EffectStepScope, UndoSpec } from "../engine/calls.ts";
import type { Definition } from "../engine/definition.ts";
import { inZone, type MachineUse, type Zone } from "../platform/run-context.ts";
import { sha256Hex } from "../platform/crypto/hash.ts";
import { callerLocation, type SourceLocation } from "../platform/source-location.ts";
import { definitionOf, registerDefinition } from "../workflow/registry.ts";
import { originOf, type TaskSpec } from "../workflow/step-options.ts";
import type { AnyWorkflow } from "../workflow/types.ts";

type Mock = (input: unknown, s: EffectStepScope) => unknown;

export interface WorkflowObserver {
  /** A step was asked for: its id, and where. */
  called?(run: Calls["run"], stepId: string, place: SourceLocation | undefined): void;
  /** A step's function begins; a compensation's too. */
  begun?(run: Calls["run"], stepId: string): void;
  /** A function of the user's, of whatever kind, has begun or ended: this many are running. */
  running?(count: number): void;
  /** The function in the place of a task's, or of a step's by its name; undefined = its own. */
  mockOf?(task: TaskSpec | undefined, name: string): Mock | undefined;
  /** Called with every use of the machine in a workflow's own code; may throw. */
  used?(use: MachineUse, run: Calls["run"]): void;
  /** No function of the user's is ever called: only the code runs. */
  readonly inert?: boolean;
  /** A workflow that the code calls: anyone who continues after a death must know it too. */
  learned?(d: Definition): void;
  alive(): boolean;
}

export class InstrumentedWorkflows {
  readonly #observer: WorkflowObserver;
  readonly #definitions = new WeakMap<Definition, Definition>();
  readonly #workflows = new WeakMap<AnyWorkflow, AnyWorkflow>();
  #running = 0;

  constructor(watcher: WorkflowObserver) {
    this.#observer = watcher;
  }

  /** The watched twin of a workflow: same name, same version, same everything. */
  of<W extends AnyWorkflow>(wf: W): W {
    const known = this.#workflows.get(wf);
    if (known !== undefined) return known as W;
    const twin = Object.freeze({ name: wf.name as string, version: wf.version }) as unknown as W;
    registerDefinition(twin, this.#instrument(definitionOf(wf)));
    this.#workflows.set(wf, twin);
    this.#workflows.set(twin, twin);
    return twin;
  }

  #instrument(d: Definition): Definition {
    const known = this.#definitions.get(d);
    if (known !== undefined) return known;
    const twin: Definition = {
      ...d,
      code: (calls, input) => inZone(this.#zone(calls.run, null), () => d.code(this.#instrumentCalls(calls), input)),
      ...this.#instrumentResume(d),
    };
    this.#definitions.set(d, twin);
    this.#definitions.set(twin, twin);
    return twin;
  }

  /** A graph that begins in the middle of its log: the names of its steps are those of one superstep, so they come out the same. */
  #instrumentResume({ style }: Definition): Pick<Definition, "style"> | {} {
    if (style === undefined || style.name !== "graph") return {};
    return {
      style: {
        ...style,
        resume: (calls, input, from) => inZone(this.#zone(calls.run, null), () => style.resume(this.#instrumentCalls(calls), input, from)),
      },
    };
  }

  #zone(run: Calls["run"], stepId: string | null): Zone {
    const w = this.#observer;
    const used = stepId === null && w.used !== undefined ? { used: (use: MachineUse) => w.used?.(use, run) } : {};
    return { runId: run.runId, workflow: run.workflow, stepId, alive: () => w.alive(), ...used };
  }

  /** The engine's calls, each made in no zone: what the engine does for the code is not the code's own. */
  #instrumentCalls(calls: Calls): Calls {
    const { run } = calls;
    const names = new StepNames(sha256Hex); // the same calls in the same order get the same ids as in the run itself
    const named = (scope: string, name: string): string => {
      const stepId = names.next(scope, name);
      this.#observer.called?.(run, stepId, callerLocation());
      return stepId;
    };
    const code = this.#zone(run, null);
    const child = (spec: ChildSpec): ChildSpec => {
      this.#observer.learned?.(spec.definition);
      return { ...spec, definition: this.#instrument(spec.definition) };
    };
    const own: Partial<Calls> = {
      effect: (scope, name, spec) => {
        const stepId = named(scope, name);
        return inZone(null, () => calls.effect(scope, name, this.#instrumentEffect(run, stepId, name, spec)));
      },
      tx: (scope, name, fn, undo, of, given) => {
        const stepId = named(scope, name);
        const inert = this.#observer.inert === true;
        const watched = inert ? never : this.#observed(run, stepId, true, fn);
        const undoing = undo && (inert ? never : this.#observed(run, compensationId(stepId), true, undo));
        return inZone(null, () => calls.tx(scope, name, watched, undoing, of, given));
      },
      timer: (scope, name, due, given) => {
        named(scope, name);
        return inZone(null, () => calls.timer(scope, name, due, given));
      },
      receive: (scope, signal, timeoutMs, name, given) => {
        named(scope, name ?? signal);
        return inZone(null, () => calls.receive(scope, signal, timeoutMs, name, given));
      },
      callChild: (scope, spec) => {
        named(scope, spec.name ?? spec.definition.name);
        return inZone(null, () => calls.callChild(scope, child(spec)));
      },
      startChild: (scope, spec) => {
        named(scope, spec.definition.name);
        return inZone(null, () => calls.startChild(scope, child(spec)));
      },
      awaitChild: (scope, c) => {
        named(scope, "result");
        return inZone(null, () => calls.awaitChild(scope, c));
      },
      sendToChild: (scope, c, what) => {
        named(scope, "signal" in what ? what.signal : "cancel");
        return inZone(null, () => calls.sendToChild(scope, c, what));
      },
      subscope: (scope, name) => {
        names.next(scope, name);
        return calls.subscope(scope, name);
      },
      onUpdate: (name, handler, validate) =>
        inZone(null, () =>
          calls.onUpdate(
            name,
            (input) => inZone(code, () => handler(input)),
            validate === null ? null : (input) => inZone(code, () => validate(input)),
          ),
        ),
    };
    return new Proxy(calls, {
      get: (target, name) => {
        const mine: unknown = Reflect.get(own, name);
        if (mine !== undefined) return mine;
        const member: unknown = Reflect.get(target, name);
        if (typeof member !== "function") return member;
        return (...args: unknown[]) => inZone(null, () => Reflect.apply(member, target, args) as unknown);
      },
    });
  }

  #instrumentEffect(run: Calls["run"], stepId: string, name: string, spec: EffectSpec): EffectSpec {
    const { fn, verify, compensate, confirm } = spec;
    if (this.#observer.inert === true)
      return {
        ...spec,
        fn: never,
        verify: verify && never,
        compensate: compensate && { ...compensate, fn: never, verify: compensate.verify && never },
        confirm: null,
      };
    const origin = originOf(spec);
    const mocked = async (mock: Mock, s: EffectStepScope): Promise<unknown> =>
      mock(await origin?.task.parse(origin.input, `input of ${name}`), s);
    const call = (s: EffectStepScope): unknown => {
      const mock = this.#observer.mockOf?.(origin?.task, name);
      return mock === undefined ? fn(s) : mocked(mock, s);
    };
    const looks = this.#observed(run, stepId, false, async (recorded: unknown, s: EffectStepScope) => {
      // What a mock returned was never in the world.
      return this.#observer.mockOf?.(origin?.task, name) === undefined ? confirm?.check(recorded, s) : { matches: true };
    });
    return {
      ...spec,
      confirm: confirm === null ? null : { ...confirm, check: looks },
      fn: this.#observed(run, stepId, true, call),
      verify: verify === null ? null : this.#observed(run, stepId, false, verify),
      compensate: compensate && this.#instrumentUndo(run, compensationId(stepId), compensate),
    };
  }

  #instrumentUndo(run: Calls["run"], stepId: string, undo: UndoSpec): UndoSpec {
    const { fn, verify } = undo;
    return { ...undo, fn: this.#observed(run, stepId, true, fn), verify: verify && this.#observed(run, stepId, false, verify) };
  }

  /** The function in the zone of its step, counted while it runs. */
  #observed<A extends unknown[], R>(run: Calls["run"], stepId: string, counts: boolean, fn: (...args: A) => R): (...args: A) => R {
    const w = this.#observer;
    return (...args) =>
      inZone(this.#zone(run, stepId), () => {
        if (counts) w.begun?.(run, stepId);
        const over = (): void => w.running?.(--this.#running);
        w.running?.(++this.#running);
        let result: R;
        try {
          result = fn(...args);
        } catch (e) {
          over();
          throw e;
        }
        if (result instanceof Promise) result.then(over, over);
        else over();
        return result;
      });
  }
}

const never = (): Promise<never> => new Promise(() => {});
