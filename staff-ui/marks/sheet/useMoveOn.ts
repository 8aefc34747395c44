import { useState } from 'react';
import type { MoveOn } from '../grid/useGrid.ts';

/** Whether a digit at the maximum's length moves on, remembered on this device. */
export const useMoveOn = (): readonly [MoveOn, (to: MoveOn) => void] => {
  const [moveOn, setMoveOn] = useState<MoveOn>(() => {
    const kept = localStorage.getItem(PLACE);
    return kept === 'right' || kept === 'down' ? kept : 'stay';
  });
  return [
    moveOn,
    (to) => {
      setMoveOn(to);
      localStorage.setItem(PLACE, to);
    },
  ];
};

const PLACE = 'marktrail-move-on';
