// What was worked on, kept in this browser: the present state, and earlier versions of it.

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

/** Keeps a version unless it is the latest one already. Old ones make room. */
export function keepVersion(work: Work): void {
  let all = versions();
  if (!work.model.trim() || (all[0] && sameTexts(all[0].work, work) && all[0].work.name === work.name)) return;
  all = [{ time: Date.now(), work: structuredClone(work) }, ...all].slice(0, MOST_VERSIONS);
  while (all.length > 0 && !keep(VERSIONS, JSON.stringify(all))) all = all.slice(0, Math.floor(all.length / 2));
}

export function forgetVersions(): void {
  localStorage.removeItem(VERSIONS);
}
