// Sessions: an instance that stays loaded in a worker of its own while requirements and data come and go.

import { answered, type Data, named, type Solving, solving, type Source, texts } from "./asking.js";
import { Channel } from "./channel.js";
import type { Members, Result, Solution, Text, Verbs } from "./protocol.js";

type Asked = Members<"session">;
type Step = NonNullable<Asked["steps"]>[number];

export type SessionSolveOptions = NonNullable<Asked["solve"]> & { signal?: AbortSignal; onSolution?: (solution: Solution) => void };

/** How a search in a session has ended, and what it has found. */
export interface SessionSolved {
  status: string;
  says: string;
  solutions: Solution[];
}

/** An instance that is solved again and again while it changes. It keeps what the solver has learnt and proved. */
export class Session {
  readonly #channel = new Channel();
  /** The steps that hold, each as it was asked for. */
  readonly #steps: Step[] = [];
  /** Whether the worker has the session, as long as it runs: a search that is stopped ends it. */
  #isLoaded = false;
  #isClosed = false;
  /** The end of what was asked for until now. */
  #last: Promise<unknown> = Promise.resolve();

  private constructor(
    private readonly model: Text,
    private readonly data: Text[],
  ) {}

  /** Begins a session; rejects if something is wrong with the model or the data. */
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

  /** The number of steps that can be taken back. */
  get steps(): number {
    return this.#steps.length;
  }

  /** Requires these expressions, too, as one step. */
  require(...requirements: string[]): Promise<void> {
    return this.#take({ require: requirements });
  }

  /** Gives parameters other values, as one step. */
  set(values: Data | Data[]): Promise<void> {
    return this.#take({ set: texts(values, `step ${this.steps + 1}`) });
  }

  /** Takes back the last step, or several ones. */
  undo(steps = 1): Promise<void> {
    return this.#after(async () => {
      await this.#ask({ steps: [{ undo: steps }] });
      this.#steps.length -= steps;
    });
  }

  /** Finds a solution with all steps that hold; with an objective, better and better ones, the last of which is a best one. */
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

  /** Does something when all that was asked for before is done. */
  #after<T>(action: () => Promise<T>): Promise<T> {
    const done = this.#last.then(action);
    this.#last = done.catch(() => undefined);
    return done;
  }

  async #ask(asked: Asked, signal?: AbortSignal, onLine: (line: Verbs["session"][2]) => void = () => {}): Promise<Result<"session">> {
    if (this.#isClosed) throw new Error("the session is closed");
    // A worker that does not have the session gets all of it.
    const isLoaded = this.#isLoaded && this.#channel.isStarted;
    const begins = isLoaded ? {} : { model: this.model, data: this.data };
    const steps = [...(isLoaded ? [] : this.#steps), ...(asked.steps ?? [])];
    const asking = answered<Result<"session">>(this.#channel, { verb: "session", ...begins, ...asked, steps }, signal, (line) => onLine(line as Solution));
    return asking.finally(() => (this.#isLoaded = true));
  }
}
