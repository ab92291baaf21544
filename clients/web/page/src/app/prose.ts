// Comments as text: words in backquotes are code, and an empty line ends a paragraph.

import { h } from "../dom";

export function prose(text: string): (HTMLElement | string)[] {
  return text.split(/(`[^`]+`)/).map((part) => (/^`.+`$/s.test(part) ? h("code", {}, part.slice(1, -1)) : part));
}

export const paragraphs = (text: string): HTMLElement[] => text.split("\n\n").map((one) => h("p", {}, ...prose(one)));
