/** What a process and everything that it started use: time of processors, and memory. Linux only: elsewhere nothing is known. */
import { readdirSync, readFileSync } from 'node:fs';

/** Wall and processor time in seconds; processor time undefined where the system does not tell. */
export type Spent = { readonly wall: number; readonly cpu: number | undefined };

/** Measures what this process, its servers and their database spend on the work. */
export const spending = async <Result>(work: () => Promise<Result>): Promise<{ readonly result: Result; readonly spent: Spent }> => {
  const [since, before] = [performance.now(), treeSeconds()];
  const result = await work();
  const after = treeSeconds();
  return {
    result,
    spent: { wall: (performance.now() - since) / 1000, cpu: before === undefined || after === undefined ? undefined : after - before },
  };
};

/** The proportional memory (PSS) of these processes and all that they started, in MB: shared pages count once. */
export const treeMegabytes = (roots: readonly number[]): number =>
  [...treeOf(roots)].reduce((sum, pid) => sum + pssKilobytes(pid), 0) / 1024;

/** What they have used, in ms to the nanosecond: of the threads that live; NaN where the system does not tell. */
export const millisecondsOf = (roots: readonly number[]): number =>
  process.platform === 'linux'
    ? [...treeOf(roots)].flatMap(threadsOf).reduce((sum, schedstat) => sum + Number.parseInt(read(schedstat) ?? '0', 10), 0) / 1e6
    : Number.NaN;

/** What these processes and all that they started have used, also of those that have ended, in seconds; undefined where the system does not tell. */
export const secondsOf = (roots: readonly number[]): number | undefined =>
  process.platform === 'linux' ? [...treeOf(roots)].reduce((sum, pid) => sum + ticksOf(pid), 0) / TICKS : undefined;

/** The id of the process that started it; NaN if that is not known. */
export const parentOf = (pid: number): number => Number(fieldsOf(pid)[1]);

/** Includes processes that have ended, once their parents have noticed. */
const treeSeconds = (): number | undefined => secondsOf([process.pid]);

/** Ticks of the kernel in a second, on every platform that Node supports. */
const TICKS = 100;

const treeOf = (roots: readonly number[]): ReadonlySet<number> => {
  const children = new Map<number, number[]>();
  for (const name of process.platform === 'linux' ? readdirSync('/proc') : []) {
    const pid = Number(name);
    const parent = Number.isInteger(pid) ? parentOf(pid) : Number.NaN;
    if (!Number.isNaN(parent)) children.set(parent, [...(children.get(parent) ?? []), pid]);
  }
  const tree = new Set<number>();
  for (const left = [...roots]; left.length > 0;) {
    const pid = left.pop()!;
    if (tree.has(pid)) continue;
    tree.add(pid);
    left.push(...(children.get(pid) ?? []));
  }
  return tree;
};

/** The files in which each says what it has used, in ns. */
const threadsOf = (pid: number): string[] => {
  try {
    return readdirSync(`/proc/${pid}/task`).map((thread) => `/proc/${pid}/task/${thread}/schedstat`);
  } catch {
    return [];
  }
};

/** utime, stime, cutime and cstime */
const ticksOf = (pid: number): number =>
  fieldsOf(pid)
    .slice(11, 15)
    .reduce((sum, ticks) => sum + Number(ticks), 0);

/** Of /proc/pid/stat, from the state on: the name before it may hold spaces. Empty if the process has ended. */
const fieldsOf = (pid: number): string[] => {
  const text = read(`/proc/${pid}/stat`);
  return text === undefined ? [] : text.slice(text.lastIndexOf(')') + 2).split(' ');
};

const pssKilobytes = (pid: number): number => Number(/^Pss:\s+(\d+)/m.exec(read(`/proc/${pid}/smaps_rollup`) ?? '')?.[1] ?? 0);

const read = (file: string): string | undefined => {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
};
