import type { Position } from '../port.ts';
import { batched } from '../../async/batcher.ts';
import type { Link, Links } from './link.ts';
import type { ReadPage } from './pages.ts';
import { readAllBefore } from './wire.ts';
import type { Arrived } from './wire.ts';

/** Where the log ends, with our own newest event (`head`) and with the server's (`end`). */
export const logEnd = (links: Links, readPage: ReadPage, mostEvents: number) => {
  /** How far back the server's own events at the end of the log have been searched, so that each is read only once. */
  let searched: { readonly link?: Link; readonly to: Position; readonly head: Position } = { to: 0n, head: 0n };

  const lookBefore = (position: Position | 'end', count: number): Promise<Arrived[]> =>
    readPage(async (arrivals) => {
      const list: Arrived[] = [];
      await arrivals(readAllBefore(position, count), (arrived) => void list.push(arrived));
      return list;
    });
  /** Newest first. An interrupted read may also return nothing, so an empty answer is asked for again. */
  const before = async (position: Position | 'end', count: number): Promise<Arrived[]> => {
    const list = await lookBefore(position, count);
    return list.length > 0 ? list : await lookBefore(position, count);
  };

  const findHead = async (): Promise<Position> => {
    const link = await links.get();
    // Another connection may lead to another log, such as a restored one.
    const earlier = searched.link === link ? searched : { to: 0n, head: 0n };
    let from: Position | 'end' = 'end';
    let end: Position | undefined;
    for (let count = 1; ; count = Math.min(count * 32, mostEvents)) {
      const list: Arrived[] = await before(from, count);
      const [first] = list;
      const last = list.at(-1);
      end ??= first?.position ?? 0n;
      const ours = list.find(({ isOwn, position }) => isOwn || position <= earlier.to);
      if (!ours && last) {
        from = last.position;
        continue;
      }
      const newest = !ours ? 0n : ours.isOwn ? ours.position : earlier.head;
      searched = { link, to: end, head: newest };
      return newest;
    }
  };
  const head = batched(Infinity, async (requests: readonly null[]) => {
    const newest = await findHead();
    return requests.map(() => newest);
  });

  return {
    head: (): Promise<Position> => head(null),
    end: async (): Promise<Position> => (await before('end', 1))[0]?.position ?? 0n,
  };
};
