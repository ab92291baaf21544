// The engine and the reader of workbooks, in the page or in a file beside it: modules compressed and in base64, and the
// script of the workers as text.

import { runFrom } from "../engine";
import { readWorkbooksWith } from "../workbook";
import { fromPacked } from "./unpacking";
import { words } from "./words";

const held = (id: string): HTMLElement | null => document.getElementById(id);

/**
 * A module as text. A script beside the page fills both elements, because a page opened from a file may load scripts
 * and nothing else.
 */
async function packed(id: "engine" | "workbook"): Promise<string> {
  const element = held("engine");
  const file = element?.dataset.file;
  if (file && !element.textContent) {
    await new Promise<void>((resolve, reject) => {
      const script = document.createElement("script");
      script.src = file;
      script.onload = () => resolve();
      script.onerror = () => reject(new Error(words.noEngine(file)));
      document.head.append(script);
    });
  }
  return held(id)?.textContent ?? "";
}

const script = held("worker")?.textContent ?? "";
runFrom(fromPacked(() => packed("engine"), script));
readWorkbooksWith(fromPacked(() => packed("workbook"), script));
