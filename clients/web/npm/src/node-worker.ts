// The script of a worker in Node.

import { parentPort } from "node:worker_threads";
import { answering } from "./execute.js";

parentPort?.on(
  "message",
  answering((message) => parentPort?.postMessage(message)),
);
