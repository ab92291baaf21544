// What the page around this one says about light and dark.

export type Theme = "light" | "dark";

export const asTheme = (value: unknown): Theme | null => (value === "light" || value === "dark" ? value : null);

/** Calls a function at each change that a page around this one tells. */
export function onThemeAround(follow: (theme: Theme) => void): void {
  addEventListener("message", ({ data }: MessageEvent) => {
    const said = asTheme(data?.essenceTheme);
    if (said) follow(said);
  });
}
