import { useState } from 'react';
import type { MoveOn } from '../grid/grid-state.ts';

/** Where a full mark leads, remembered on this device; undefined: nobody has said. */
export const useMoveOn = (): readonly [MoveOn | undefined, (to: MoveOn) => void] => {
  const [moveOn, setMoveOn] = useState<MoveOn | undefined>(() => {
    const kept = localStorage.getItem(PLACE);
    return moveOns.find((one) => one === kept);
  });
  return [
    moveOn,
    (to) => {
      setMoveOn(to);
      localStorage.setItem(PLACE, to);
    },
  ];
};

export const moveOns: readonly MoveOn[] = ['stay', 'right', 'down'];

const PLACE = 'marktrail-move-on';
