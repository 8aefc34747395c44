import { leafHash, Tree } from '../proof/tree.ts';
import type { StreamEvent } from '../store/port.ts';
import { TransferError, type LogEnd, type LogSource, type LogTarget } from './log.ts';

export type CopyOptions = {
  /** Called after each portion with the number of events so far. */
  readonly onProgress?: (step: { readonly step: 'check' | 'copy' | 'read back'; readonly events: number }) => void;
  readonly signal?: AbortSignal;
};

export type Copied = LogEnd & {
  /** how many of the events were written by this run; the others were already there */
  readonly written: number;
};

/**
 * Copies the source's events into the target with the same order, ids, revisions and bytes. The target may already hold the beginning of
 * the source, for example after an interrupted copy: it is compared event by event, and the copy continues after it. In the end, what was
 * written is read back and must give the same root.
 *
 * @throws TransferError when the source is damaged or the target holds anything else (nothing was changed then), or somebody else writes
 */
export const copyLog = async (
  source: LogSource,
  target: LogTarget,
  { onProgress = () => undefined, signal }: CopyOptions = {},
): Promise<Copied> => {
  if (source.check) {
    onProgress({ step: 'check', events: 0 });
    await source.check();
  }
  const there = oneByOne(target.events());
  const tree = new Tree();
  let existing = await there.next();
  let last: StreamEvent | undefined;
  let written = 0;
  for await (const portion of source.events()) {
    signal?.throwIfAborted();
    const news: StreamEvent[] = [];
    for (const event of portion) {
      const leaf = leafHash(event);
      tree.append(leaf);
      if (!existing) news.push(event);
      else if (leafHash(existing) === leaf) existing = await there.next();
      else
        throw notEmpty(target, source, `its event ${tree.size} is ${existing.type} ${existing.id}, there it is ${event.type} ${event.id}`);
    }
    if (news.length > 0) await target.append(news, portion[portion.length - news.length - 1] ?? last);
    last = portion.at(-1) ?? last;
    written += news.length;
    onProgress({ step: 'copy', events: tree.size });
  }
  if (existing) throw notEmpty(target, source, `it goes on after the ${tree.size} events there`);

  const end: LogEnd = { events: tree.size, lastId: last?.id ?? null, root: tree.root() };
  if (written > 0 && !target.passing) await readBack(target, end, onProgress);
  await target.finish?.(end);
  return { ...end, written };
};

const readBack = async (target: LogTarget, end: LogEnd, onProgress: NonNullable<CopyOptions['onProgress']>): Promise<void> => {
  const tree = new Tree();
  for await (const portion of target.events()) {
    for (const event of portion) tree.append(leafHash(event));
    onProgress({ step: 'read back', events: tree.size });
  }
  if (tree.size !== end.events || tree.root() !== end.root)
    throw new TransferError(
      `${target.name} does not contain what was written to it: another program writes to it. Copy into an empty log.`,
    );
};

const notEmpty = (target: LogTarget, source: LogSource, why: string): TransferError =>
  new TransferError(`${target.name} is not empty and differs from ${source.name}: ${why}. Nothing was changed.`);

const oneByOne = (portions: AsyncIterable<readonly StreamEvent[]>): { next(): Promise<StreamEvent | undefined> } => {
  const iterator = portions[Symbol.asyncIterator]();
  let portion: readonly StreamEvent[] = [];
  let at = 0;
  return {
    async next() {
      while (at === portion.length) {
        const next = await iterator.next();
        if (next.done === true) return undefined;
        portion = next.value;
        at = 0;
      }
      return portion[at++];
    },
  };
};
