import { useEffect, useState } from 'react';
import { useApi } from '../../../../ui/api/ApiProvider.tsx';
import { some } from '../../../format.ts';
import type { Line, Plan } from './plan.ts';

type Found = { readonly row: number; readonly kind: string; readonly students: readonly { readonly setName: string }[] };

/** Of rows that are of nobody in a class: in which other classes of the subject their students are; undefined: that is not known. */
export const useElsewhere = ({ lines }: Plan, subjectId: string): string | undefined => {
  const api = useApi();
  const [asked] = useState(() => lines.filter(({ match }) => match.kind === 'nobody'));
  const [found, setFound] = useState<readonly Found[]>([]);
  useEffect(() => {
    if (asked.length === 0) return;
    const leaving = new AbortController();
    const rows = asked.map(({ named }) => ({ admissionNo: named.id, name: named.name }));
    // Without an answer, as without a network, nothing is said of it.
    api.ask('match-students', { subjectId, rows }, { signal: leaving.signal }).then(
      (answer) => setFound(answer.rows),
      () => undefined,
    );
    return () => leaving.abort();
  }, [api, asked, subjectId]);
  return elsewhereInWords(asked, found);
};

/** 'These 28 are in 11X2.' 'Nobody, Nina is in 11X2.' */
export const elsewhereInWords = (lines: readonly Pick<Line, 'label'>[], found: readonly Found[]): string | undefined => {
  const sure = found.flatMap(({ row, kind, students: [student] }) =>
    kind !== 'several' && student ? [{ row, set: student.setName }] : [],
  );
  const sets = Map.groupBy(sure, ({ set }) => set);
  const sentences = [...sets].map(([set, rows]) => {
    const who = rows.length > 3 ? `These ${rows.length}` : some(rows.map(({ row }) => lines[row]?.label ?? ''));
    return `${who} ${rows.length === 1 ? 'is' : 'are'} in ${set}.`;
  });
  return sentences.length === 0 ? undefined : sentences.join(' ');
};
