// The script of a worker in a browser.

import type { ToWorker } from "./channel.js";
import { answering } from "./execute.js";

const answer = answering((message) => self.postMessage(message));
self.onmessage = ({ data }: MessageEvent<ToWorker>) => answer(data);
