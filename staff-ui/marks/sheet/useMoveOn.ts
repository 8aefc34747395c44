import { useState } from 'react';
import { readPreference, writePreference } from '../../../ui/site/preferences.ts';
import type { MoveOn } from '../grid/grid-state.ts';

/** Where a full mark leads, remembered on this device; undefined: nobody has said. */
export const useMoveOn = (): readonly [MoveOn | undefined, (to: MoveOn) => void] => {
  const [moveOn, setMoveOn] = useState<MoveOn | undefined>(() => {
    const kept = readPreference(PLACE);
    return moveOns.find((one) => one === kept);
  });
  return [
    moveOn,
    (to) => {
      setMoveOn(to);
      writePreference(PLACE, to);
    },
  ];
};

export const moveOns: readonly MoveOn[] = ['stay', 'right', 'down'];

const PLACE = 'marktrail-move-on';
