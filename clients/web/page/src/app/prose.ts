// Comments as text: words in backquotes are code, and an empty line ends a paragraph.

import { h } from "../dom";

let own = new Map<string, string>();

/** Sets the translations of the model's paragraphs. */
export function translate(texts: Map<string, string>): void {
  own = texts;
}

export function prose(text: string): (HTMLElement | string)[] {
  return (own.get(text) ?? text).split(/(`[^`]+`)/).map((part) => (/^`.+`$/s.test(part) ? h("code", {}, part.slice(1, -1)) : part));
}

export const upper = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** A comment as plain text. */
export const plainText = (text: string): string => (own.get(text) ?? text).replaceAll("`", "");

export const paragraphs = (text: string): HTMLElement[] => text.split("\n\n").map((one) => h("p", {}, ...prose(one)));
