// The language server in a browser: it runs in a worker with the engine, and each of its tasks in another one. The
// program does the same in cli/servers/lsp.

import { AbstractMessageReader, AbstractMessageWriter, type DataCallback, type Disposable, LanguageClient, type Message } from "vscode-languageclient/browser";
import { Channel } from "../../../../web/npm/src/channel";
import type { Request } from "../../../../web/npm/src/protocol";
import { answerAbout, type FileQuestion } from "./files";

/** An action of the host (src/language_server/mod.rs). */
type Reaction =
  | { reaction: "send"; message: string }
  | { reaction: "read"; questions: FileQuestion[] }
  | { reaction: "start"; task: number; request: Request; after_pause: boolean }
  | { reaction: "cancel"; task: number }
  | { reaction: "exit" };

/** Milliseconds without a change before models are examined, and the limit of the examination in seconds. */
const PAUSE = 500;
const MOST_SECONDS = 5;

/** A server that takes longer for one event is abandoned. */
const MOST_MILLISECONDS = 20_000;

/** The client of a server in a worker. */
export class EngineClient extends LanguageClient {
  protected override createMessageTransports() {
    const reader = new Reader();
    return Promise.resolve({ reader, writer: new Writer(new Host(reader)) });
  }
}

class Reader extends AbstractMessageReader {
  #callback: DataCallback = () => undefined;

  listen(callback: DataCallback): Disposable {
    this.#callback = callback;
    return { dispose: () => (this.#callback = () => undefined) };
  }

  read(message: Message): void {
    this.#callback(message);
  }

  /** Called when the server is gone; the client starts another one. */
  close(): void {
    this.fireClose();
  }
}

class Writer extends AbstractMessageWriter {
  constructor(private readonly host: Host) {
    super();
  }

  async write(message: Message): Promise<void> {
    this.host.tell({ message });
  }

  end(): void {
    this.host.end();
  }
}

class Host {
  readonly #server = new Channel();
  /** Stops each task, by its number. */
  readonly #tasks = new Map<number, () => void>();
  /** The server handles one event at a time. */
  #last: Promise<void> = Promise.resolve();
  #waiting = 0;

  constructor(private readonly reader: Reader) {
    this.#server.prepare();
  }

  tell(event: object): void {
    this.#waiting++;
    const reaction = async () => {
      await this.#react(event);
      if (--this.#waiting === 0) await this.#react("idle");
    };
    this.#last = this.#last.then(reaction);
    this.#last.catch(() => {
      this.end();
      this.reader.close();
    });
  }

  async #react(event: unknown): Promise<void> {
    const reactions: Reaction[] = [];
    const run = this.#server.run({ event }, (line) => reactions.push(line as unknown as Reaction));
    const timer = setTimeout(run.stop, MOST_MILLISECONDS);
    const answer = await run.answer;
    clearTimeout(timer);
    if (answer?.type !== "result") throw new Error(answer?.diagnostics[0]?.message ?? "the language server takes too long");
    for (const reaction of reactions) await this.#carryOut(reaction);
  }

  async #carryOut(wanted: Reaction): Promise<void> {
    switch (wanted.reaction) {
      case "send":
        return this.reader.read(JSON.parse(wanted.message) as Message);
      case "read":
        return this.#react({ files: await Promise.all(wanted.questions.map(answerAbout)) });
      case "start":
        return this.#start(wanted.task, wanted.request, wanted.after_pause);
      case "cancel":
        return this.#tasks.get(wanted.task)?.();
      case "exit":
        return this.end();
    }
  }

  #start(task: number, request: Request, isExamination: boolean): void {
    const channel = new Channel();
    const tell = (line: object) => this.tell({ answer: { task, line } });
    const begin = async () => {
      const { answer } = channel.run(isExamination ? ({ ...request, limit: MOST_SECONDS } as Request) : request, tell);
      const last = await answer;
      end();
      if (last) tell(last);
    };
    const timer = setTimeout(() => void begin(), isExamination ? PAUSE : 0);
    const end = () => {
      clearTimeout(timer);
      channel.stop();
      channel.discard();
      this.#tasks.delete(task);
    };
    this.#tasks.set(task, end);
  }

  /** Stops the server and its tasks. */
  end(): void {
    for (const end of [...this.#tasks.values()]) end();
    this.#server.discard();
  }
}
