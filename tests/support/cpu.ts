import { readFileSync, readdirSync } from 'node:fs';

/** Linux counts in hundredths of a second, on all processors that it runs on today. */
const TICKS = 100;

/** `cpu`: seconds of a process and of those it has started and waited for. */
type Process = { readonly pid: number; readonly name: string; readonly parent: number; readonly cpu: number };

/** CPU seconds of this process and of all that it has started, what they have started, and so on. 0 where Linux does not tell. */
export function ownCpu(): number {
  return cpuBelow(process.pid, processes());
}

/**
 * CPU seconds of the processes that this one has started and that are alive, with all below them, by the name of the first. Without those of
 * this one's own kind: the test files' processes, which count for themselves.
 */
export function cpuOfChildren(): ReadonlyMap<string, number> {
  const all = processes();
  const sums = new Map<string, number>();
  for (const { pid, name, parent } of all.values())
    if (parent === process.pid && name !== all.get(process.pid)?.name) sums.set(name, (sums.get(name) ?? 0) + cpuBelow(pid, all));
  return sums;
}

function cpuBelow(top: number, all: ReadonlyMap<number, Process>): number {
  const isBelow = (one: Process | undefined): boolean => one !== undefined && (one.pid === top || isBelow(all.get(one.parent)));
  return [...all.values()].reduce((sum, one) => (isBelow(one) ? sum + one.cpu : sum), 0);
}

function processes(): ReadonlyMap<number, Process> {
  try {
    const pids = readdirSync('/proc').map(Number).filter(Number.isInteger);
    return new Map(pids.flatMap(read).map((one) => [one.pid, one]));
  } catch {
    return new Map();
  }
}

function read(pid: number): readonly Process[] {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const [begin, end] = [text.indexOf('('), text.lastIndexOf(')')];
    const [, parent, ...more] = text.slice(end + 2).split(' ');
    // utime, stime, and those of children that were waited for
    const cpu = more.slice(9, 13).reduce((sum, ticks) => sum + Number(ticks), 0) / TICKS;
    return [{ pid, name: text.slice(begin + 1, end), parent: Number(parent), cpu }];
  } catch {
    // It has ended meanwhile, or this is not Linux.
    return [];
  }
}
