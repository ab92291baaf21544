// The user's work in the browser's storage: the current state, and earlier versions.

import { keep, kept } from "./storage";
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
    return JSON.parse(kept(key) ?? "null");
  } catch {
    return null;
  }
}

export const present = (): Work | null => asWork(read(PRESENT));
export const keepPresent = (work: Work): boolean => keep(PRESENT, JSON.stringify(work));

/** The earlier versions, the latest first. */
export function versions(): Version[] {
  const all = read(VERSIONS);
  return (Array.isArray(all) ? all : []).flatMap((one): Version[] => {
    const work = asWork(one?.work);
    return work && Number.isFinite(one.time) ? [{ time: one.time as number, work }] : [];
  });
}

/**
 * Saves a version. It replaces the latest one if that only has fewer set values in *Play*. Old versions are dropped
 * when storage is full.
 */
export function keepVersion(work: Work): void {
  let all = versions();
  if (!work.model.trim()) return;
  const latest = all[0]?.work;
  if (latest && sameTexts(latest, work) && latest.name === work.name && (latest.set ?? []).every((one) => work.set?.includes(one))) {
    if (latest.set?.length === work.set?.length) return;
    all.shift();
  }
  all = [{ time: Date.now(), work: structuredClone(work) }, ...all].slice(0, MOST_VERSIONS);
  // The storage may be full, so drop the older half until the rest fits.
  while (all.length > 0 && !keep(VERSIONS, JSON.stringify(all))) all = all.slice(0, Math.floor(all.length / 2));
}

export function forgetVersions(): void {
  localStorage.removeItem(VERSIONS);
}
