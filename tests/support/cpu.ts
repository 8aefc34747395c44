import { readFileSync, readdirSync } from 'node:fs';

/** Linux counts in hundredths of a second, on all processors that it runs on today. */
const TICKS = 100;

/** CPU seconds of a process by itself, and of those it has started that have ended. 0 where Linux does not tell. */
export function ownCpu(pid: number | 'self' = 'self'): number {
  return read(pid)?.cpu ?? 0;
}

/**
 * CPU seconds of the processes that this one has started and that are alive, with all below them, by the name of the first. Without those of
 * this one's own kind: the test files' processes, which count for themselves.
 */
export function cpuOfChildren(): ReadonlyMap<string, number> {
  const all = new Map(processes().flatMap((pid) => [read(pid)].flatMap((it) => (it ? [[pid, it] as const] : []))));
  const firstOf = (pid: number): number | undefined => {
    for (let [at, seen] = [pid, all.get(pid)]; seen; [at, seen] = [seen.parent, all.get(seen.parent)])
      if (seen.parent === process.pid) return at;
    return undefined;
  };
  const sums = new Map<string, number>();
  for (const [pid, { cpu }] of all) {
    const name = all.get(firstOf(pid) ?? 0)?.name;
    if (name !== undefined && name !== all.get(process.pid)?.name) sums.set(name, (sums.get(name) ?? 0) + cpu);
  }
  return sums;
}

function processes(): number[] {
  try {
    return readdirSync('/proc').map(Number).filter(Number.isInteger);
  } catch {
    return [];
  }
}

function read(pid: number | 'self'): { readonly name: string; readonly parent: number; readonly cpu: number } | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const [begin, end] = [text.indexOf('('), text.lastIndexOf(')')];
    const [, parent, ...more] = text.slice(end + 2).split(' ');
    // utime, stime, and those of children that were waited for
    const cpu = more.slice(9, 13).reduce((sum, ticks) => sum + Number(ticks), 0) / TICKS;
    return { name: text.slice(begin + 1, end), parent: Number(parent), cpu };
  } catch {
    // It has ended meanwhile, or this is not Linux.
    return undefined;
  }
}
