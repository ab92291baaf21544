// The part of the shim's API that the engine uses.
declare module "@bjorn3/browser_wasi_shim" {
  export class File {
    constructor(data: Uint8Array);
  }
  export class OpenFile {
    constructor(file: File);
  }
  export class ConsoleStdout {
    static lineBuffered(write: (line: string) => void): ConsoleStdout;
  }
  export class WASI {
    constructor(args: string[], env: string[], fds: (OpenFile | ConsoleStdout)[], options?: { debug?: boolean });
    fds: (OpenFile | ConsoleStdout)[];
    wasiImport: WebAssembly.ModuleImports;
    start(instance: WebAssembly.Instance): number;
  }
}
