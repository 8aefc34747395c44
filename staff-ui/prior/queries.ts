import { studentsToldApart } from '#api/contract/names';
import { useQuestion } from '../../ui/api/ApiProvider.tsx';
import { useSession } from '../../ui/session/Session.tsx';
import { useMoment } from '../moment.ts';

const useSubjectId = (): string | undefined => useSession().subject?.subjectId;

/** How much of a year group each terminal exam covers. */
export const usePriorSummary = (yearGroupId: string | undefined) => {
  const subjectId = useSubjectId();
  return useQuestion('prior-summary', subjectId && yearGroupId ? { subjectId, yearGroupId } : undefined, useMoment().asOf);
};

export const usePriorScores = (terminalExamId: string, yearGroupId: string) => {
  const subjectId = useSubjectId();
  return useQuestion(
    'prior-scores',
    subjectId ? { subjectId, terminalExamId, yearGroupId } : undefined,
    useMoment().asOf,
    studentsToldApart,
  );
};

export const usePriorUploads = (terminalExamId: string) => {
  const subjectId = useSubjectId();
  return useQuestion('prior-uploads', subjectId ? { subjectId, terminalExamId } : undefined, useMoment().asOf);
};
