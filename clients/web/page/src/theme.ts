// Light or dark: in a page of its own what the reader has chosen, or else the system; in a frame what the page around it says.

import { asTheme, onThemeAround, type Theme } from "./around";
import { keep, kept } from "./storage";

const KEY = "essence.theme";

const system = matchMedia("(prefers-color-scheme: dark)");
const followers = new Set<(theme: Theme) => void>();
/** What the page around this one says; `null` for what the system says, `undefined` if this page stands alone. */
let around: Theme | null | undefined;

export const theme = (): Theme => (around === undefined ? asTheme(kept(KEY)) : around) ?? (system.matches ? "dark" : "light");

function apply(): void {
  document.documentElement.dataset.theme = theme();
  for (const follow of followers) follow(theme());
}

/** Calls a function at each change. */
export function onTheme(follow: (theme: Theme) => void): void {
  followers.add(follow);
}

export function toggleTheme(): void {
  keep(KEY, theme() === "dark" ? "light" : "dark");
  apply();
}

/** In a frame, the page around it chooses: at first, and with messages. Most pages are light, whatever the system is. */
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
