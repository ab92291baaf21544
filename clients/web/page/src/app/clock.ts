// Times: minutes after midnight, as people read and write them. From the second day on, hours continue beyond 24.

/** `450` as `7:30`; anything but a number stays. */
export function clocked(text: string): string {
  if (!/^\d+$/.test(text)) return text;
  const minutes = Number(text);
  return `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, "0")}`;
}

/** The minutes of `7:30`; `null` if the text is not a time. */
export function minutesOf(text: string): number | null {
  const [, hours, minutes] = /^(\d+):([0-5]\d)$/.exec(text) ?? [];
  return hours === undefined ? null : 60 * Number(hours) + Number(minutes);
}
