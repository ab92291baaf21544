// Number format of all pages.

export const number = (value: number): string => value.toLocaleString("en");

export const plural = (count: number, one: string, many = `${one}s`): string => `${number(count)} ${count === 1 ? one : many}`;

export function seconds(value: number): string {
  if (value < 0.0005) return "0 ms";
  if (value < 1) return `${Math.max(1, Math.round(value * 1000))} ms`;
  return `${value.toFixed(value < 10 ? 1 : 0)} s`;
}
