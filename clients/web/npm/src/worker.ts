// The script of a worker in a browser.

import { answering, type ToWorker } from "./execute.js";

const answer = answering((message) => self.postMessage(message));
self.onmessage = ({ data }: MessageEvent<ToWorker>) => answer(data);
