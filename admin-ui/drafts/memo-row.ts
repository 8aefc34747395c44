import type { ComponentType } from 'react';
import { memo } from 'react';
import { same } from '../../ui/drafts/drafts.ts';

/** A row of a list that is typed into: it is drawn again only if what it shows has changed, so that a key costs one row. Its handlers must stay the same. */
export const memoRow = <Props extends object>(row: ComponentType<Props>) => memo(row, isSame);

const isSame = (before: object, now: object): boolean =>
  Object.keys({ ...before, ...now }).every((name) => {
    const was: unknown = Reflect.get(before, name);
    const is: unknown = Reflect.get(now, name);
    return typeof is === 'function' ? was === is : same(was, is);
  });
