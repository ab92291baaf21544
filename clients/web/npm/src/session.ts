// Sessions: an instance that stays loaded in its worker while requirements and data change.

import { answered, type Data, named, type Solving, solving, type Source, texts } from "./asking.js";
import { Channel } from "./channel.js";
import type { Members, Result, Solution, Text, Verbs } from "./protocol.js";

type Asked = Members<"session">;
type Step = NonNullable<Asked["steps"]>[number];

export type SessionSolveOptions = NonNullable<Asked["solve"]> & { signal?: AbortSignal; onSolution?: (solution: Solution) => void };

/** The result of a search in a session. */
export interface SessionSolved {
  status: string;
  says: string;
  solutions: Solution[];
}

/**
 * An instance that is solved again and again while it changes. It keeps the learnt clauses and proven bounds of the
 * solver.
 */
export class Session {
  readonly #channel = new Channel();
  /** The steps in force, as they were requested; a new worker gets all of them. */
  readonly #steps: Step[] = [];
  /** True if the worker holds the session. A search that is stopped ends its worker, and with it the session there. */
  #isLoaded = false;
  #isClosed = false;
  /** Settled when all earlier requests are done. */
  #last: Promise<unknown> = Promise.resolve();

  private constructor(
    private readonly model: Text,
    private readonly data: Text[],
  ) {}

  /** Starts a session; rejects if there are errors in the model or the data. */
  static async begin(model: Source, data?: Data | Data[]): Promise<Session> {
    const session = new Session(named(model, "model"), texts(data));
    try {
      await session.#after(() => session.#ask({}));
    } catch (error) {
      session.close();
      throw error;
    }
    return session;
  }

  /** The number of steps that can be undone. */
  get steps(): number {
    return this.#steps.length;
  }

  /** Adds these requirements as one step. */
  require(...requirements: string[]): Promise<void> {
    return this.#take({ require: requirements });
  }

  /** Gives parameters new values as one step. */
  set(values: Data | Data[]): Promise<void> {
    return this.#take({ set: texts(values, `step ${this.steps + 1}`) });
  }

  /** Undoes the last steps. */
  undo(steps = 1): Promise<void> {
    return this.#after(async () => {
      await this.#ask({ steps: [{ undo: steps }] });
      // Only after success: a rejected step is not part of the session.
      this.#steps.length -= steps;
    });
  }

  /**
   * Finds a solution that satisfies all steps. With an objective, reports better and better solutions; the last one is
   * optimal.
   */
  solve({ signal, onSolution, ...solve }: SessionSolveOptions = {}): Solving<SessionSolved> {
    return solving({ signal, onSolution }, (either, onLine) =>
      this.#after(async () => {
        const { status = "", says = "" } = await this.#ask({ solve }, either, onLine);
        return { status, says };
      }),
    );
  }

  /** Ends the worker. */
  close(): void {
    this.#isClosed = true;
    this.#channel.stop();
    this.#channel.discard();
  }

  #take(step: Step): Promise<void> {
    return this.#after(async () => {
      await this.#ask({ steps: [step] });
      this.#steps.push(step);
    });
  }

  /** Runs an action after all earlier ones are done. */
  #after<T>(action: () => Promise<T>): Promise<T> {
    const done = this.#last.then(action);
    this.#last = done.catch(() => undefined);
    return done;
  }

  async #ask(asked: Asked, signal?: AbortSignal, onLine: (line: Verbs["session"][2]) => void = () => {}): Promise<Result<"session">> {
    if (this.#isClosed) throw new Error("the session is closed");
    // A new worker gets the model, the data and all steps again.
    const isLoaded = this.#isLoaded && this.#channel.isStarted;
    const begins = isLoaded ? {} : { model: this.model, data: this.data };
    const steps = [...(isLoaded ? [] : this.#steps), ...(asked.steps ?? [])];
    const asking = answered<Result<"session">>(this.#channel, { verb: "session", ...begins, ...asked, steps }, signal, (line) => onLine(line as Solution));
    return asking.finally(() => (this.#isLoaded = true));
  }
}
