// Light or dark: in a page by itself the reader's choice, or else the system's; in a frame the choice of the page
// around it.

import { asTheme, onThemeAround, type Theme } from "./around";
import { keep, kept } from "./storage";

const KEY = "essence.theme";

const system = matchMedia("(prefers-color-scheme: dark)");
const followers = new Set<(theme: Theme) => void>();
/** The theme of the page around this one; `null` to follow the system, `undefined` if this page is not in a frame. */
let around: Theme | null | undefined;

export const theme = (): Theme => (around === undefined ? asTheme(kept(KEY)) : around) ?? (system.matches ? "dark" : "light");

function apply(): void {
  document.documentElement.dataset.theme = theme();
  for (const follow of followers) follow(theme());
}

/** Calls a function at each change of the theme. */
export function onTheme(follow: (theme: Theme) => void): void {
  followers.add(follow);
}

export function toggleTheme(): void {
  keep(KEY, theme() === "dark" ? "light" : "dark");
  apply();
}

/**
 * In a frame, the page around it chooses: initially, and by messages. The default is light, because most pages are,
 * whatever the system's theme.
 */
export function followPageAround(first: string | null): void {
  around = first === "auto" ? null : (asTheme(first) ?? "light");
  onThemeAround((said) => {
    around = said;
    apply();
  });
  apply();
}

system.addEventListener("change", apply);
apply();
