import type { StudentHome } from '#api/analysis/student/student.contract';
import { sentence } from '../../ui/api/failure.ts';
import { useFresh } from '../../ui/api/ApiProvider.tsx';
import { Button } from '../../ui/controls/Button.tsx';
import { Notice } from '../../ui/feedback/Notice.tsx';
import { useToast } from '../../ui/feedback/Toasts.tsx';
import { useSend } from '../../ui/sending/useSend.ts';
import { useSession } from '../../ui/session/Session.tsx';
import { unprintableText } from '../../ui/reports/unprintable.ts';
import { useStudent } from '../useStudent.ts';

type ReportsProps = { readonly home: StudentHome; readonly testId: string };

/** The student's own reports about an assessment. What makes them is loaded when one is asked for. */
export const Reports = ({ home, testId }: ReportsProps) => {
  const { me } = useSession();
  const ask = useFresh();
  const student = useStudent();
  const toast = useToast();
  const { send, pending, error } = useSend({
    act: async (kind: 'student' | 'feedback') => {
      const [{ saveReport }, card, list, topics] = await Promise.all([
        import('./report-file.ts'),
        ask('student-card', { testId }),
        ask('revision-list', { testId }),
        ask('student-topics', { subjectId: home.subjectId }),
      ]);
      return saveReport(kind, { student: student.data?.name ?? '', school: me.school, home, card, list, topics });
    },
    onDone: (letters) => {
      const text = unprintableText(letters);
      if (text !== undefined) toast({ tone: 'warn', text });
    },
    showsError: true,
  });
  return (
    <>
      <p className="row">
        <Button disabled={pending || !student.data} onClick={() => void send('feedback')}>
          Feedback sheet
        </Button>
        <Button disabled={pending || !student.data} onClick={() => void send('student')}>
          Student report
        </Button>
      </p>
      {error !== undefined && <Notice tone="bad" title={`The file could not be made. ${sentence(error)}`} />}
    </>
  );
};
