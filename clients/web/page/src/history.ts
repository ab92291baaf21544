// What was worked on, kept in this browser: the present state, and earlier versions of it.

import { asWork, sameTexts, type Work } from "./work";

const PRESENT = "essence.present";
const VERSIONS = "essence.versions";
const MOST_VERSIONS = 60;

export interface Version {
  time: number;
  work: Work;
}

function read(key: string): unknown {
  try {
    return JSON.parse(localStorage.getItem(key) ?? "null");
  } catch {
    return null;
  }
}

/** Returns whether the value was kept: a browser may refuse, or have no more room. */
function write(key: string, value: unknown): boolean {
  try {
    localStorage.setItem(key, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}

export const present = (): Work | null => asWork(read(PRESENT));
export const keepPresent = (work: Work): boolean => write(PRESENT, work);

/** The earlier versions, the latest first. */
export function versions(): Version[] {
  const kept = read(VERSIONS);
  return (Array.isArray(kept) ? kept : []).flatMap((one): Version[] => {
    const work = asWork(one?.work);
    return work && Number.isFinite(one.time) ? [{ time: one.time as number, work }] : [];
  });
}

/** Keeps a version unless it is the latest one already. Old ones make room. */
export function keepVersion(work: Work): void {
  let kept = versions();
  if (!work.model.trim() || (kept[0] && sameTexts(kept[0].work, work) && kept[0].work.name === work.name)) return;
  kept = [{ time: Date.now(), work: structuredClone(work) }, ...kept].slice(0, MOST_VERSIONS);
  while (kept.length > 0 && !write(VERSIONS, kept)) kept = kept.slice(0, Math.floor(kept.length / 2));
}

export function forgetVersions(): void {
  localStorage.removeItem(VERSIONS);
}
