// Light or dark: what the system says, unless the reader has chosen.

const KEY = "essence.theme";

export type Theme = "light" | "dark";

function chosen(): Theme | null {
  try {
    const kept = localStorage.getItem(KEY);
    return kept === "light" || kept === "dark" ? kept : null;
  } catch {
    return null;
  }
}

export const theme = (): Theme => chosen() ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");

export function applyTheme(): void {
  document.documentElement.dataset.theme = theme();
}

export function toggleTheme(): void {
  try {
    localStorage.setItem(KEY, theme() === "dark" ? "light" : "dark");
  } catch {
    // Without storage, the system's choice stays.
  }
  applyTheme();
}

matchMedia("(prefers-color-scheme: dark)").addEventListener("change", applyTheme);
applyTheme();
