import { useQueries } from '@tanstack/react-query';
import { question, useApi } from '../../../../ui/api/ApiProvider.tsx';
import { useMoment } from '../../../as-of/useMoment.ts';
import { useStructure } from '../../../queries.ts';
import { Decide } from './Decide.tsx';
import type { OpenCell } from '../view.ts';

/** Questions whose marks are contested, below a total that is not. */
export const ContestedQuestions = ({ cell }: { readonly cell: OpenCell }) => {
  const api = useApi();
  const { asOf } = useMoment();
  const questions = useStructure().data?.tests.find(({ testId }) => testId === cell.testId)?.questions ?? [];
  const cells = useQueries({
    queries: questions.map(({ questionId }) => question(api, 'cell', { ...cell, questionId }, asOf)),
  });
  return questions.map(({ questionId, number, topic }, index) => {
    const history = cells[index]?.data;
    return (
      history && (
        <Decide key={questionId} cell={{ ...cell, questionId }} history={history} label={`mark of question ${number} (${topic})`} />
      )
    );
  });
};
