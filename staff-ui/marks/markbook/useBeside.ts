import type { Markbook } from '#api/marks/marks.contract';
import { useState } from 'react';
import { useQuestion } from '../../../ui/api/ApiProvider.tsx';
import { readPreference, writePreference } from '../../../ui/site/preferences.ts';
import { useMoment } from '../../as-of/useMoment.ts';
import { besideOf } from './beside.ts';

const NAME = 'marktrail.markbook.beside';

/** Whether the columns beside the residual are shown, as this device remembers it, and what is in them. Nobody asks for what is not shown. */
export const useBeside = ({ yearGroupId, ranked, sets }: Markbook) => {
  const [isChosen, setChosen] = useState(() => readPreference(NAME) === 'shown');
  const isShown = isChosen && ranked !== undefined;
  const { data } = useQuestion('residuals', isShown ? { yearGroupId, taskId: ranked.taskId } : undefined, useMoment().asOf);
  const answer = isShown && data?.taskId === ranked.taskId ? data : undefined;
  return {
    isShown,
    choose: (next: boolean) => {
      writePreference(NAME, next ? 'shown' : 'hidden');
      setChosen(next);
    },
    answer,
    figures: answer && besideOf(answer, { sets }),
  };
};
