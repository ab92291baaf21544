// The colour theme of the page around this one.

export type Theme = "light" | "dark";

export const asTheme = (value: unknown): Theme | null => (value === "light" || value === "dark" ? value : null);

/** Calls a function when the page around this one announces a theme. */
export function onThemeAround(follow: (theme: Theme) => void): void {
  addEventListener("message", ({ data }: MessageEvent) => {
    const said = asTheme(data?.essenceTheme);
    if (said) follow(said);
  });
}
