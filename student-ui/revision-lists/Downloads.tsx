import type { StudentCard } from '#api/analysis/student/student.contract';
import { personalList } from '#api/revision-lists/revision-list.contract';
import type { RevisionList as List } from '#api/revision-lists/revision-lists.contract';
import { sentence } from '../../ui/api/failure.ts';
import { useFresh } from '../../ui/api/ApiProvider.tsx';
import { Button } from '../../ui/controls/Button.tsx';
import { Notice } from '../../ui/feedback/Notice.tsx';
import { useToast } from '../../ui/feedback/Toasts.tsx';
import { unprintableText } from '../../ui/reports/unprintable.ts';
import { useSend } from '../../ui/sending/useSend.ts';
import { useSession } from '../../ui/session/Session.tsx';
import { useStudent } from '../useStudent.ts';
import styles from './RevisionList.module.css';

/** The list as a PDF, whole or with the student's own topics only. What makes it is loaded when it is asked for. */
export const Downloads = ({ list }: { readonly list: List }) => {
  const { me } = useSession();
  const ask = useFresh();
  const student = useStudent();
  const toast = useToast();
  const { send, pending, error } = useSend({
    act: async (isOwn: boolean) => {
      const [{ revisionListFile, REVISION_FILE }, { paperOf }, { readFont }, { saveFile }, card] = await Promise.all([
        import('../../ui/reports/revision-list.ts'),
        import('../../ui/reports/paper.ts'),
        import('../../ui/reports/read-font.ts'),
        import('../../ui/file/save-file.ts'),
        isOwn ? ask('student-card', { testId: list.testId }) : undefined,
      ]);
      const part = card && { student: student.data?.name, headers: personalList(list.headers, marksOf(card)) };
      const now = new Date();
      const { file, unprintable } = await revisionListFile({
        school: me.school.name,
        words: me.school.reports,
        paper: paperOf(navigator.language),
        created: now,
        moment: now,
        font: readFont,
        parts: [{ test: list.name, headers: list.headers, ...part }],
      });
      saveFile(REVISION_FILE, file, 'application/pdf');
      return unprintableText(unprintable);
    },
    onDone: (text) => text && toast({ tone: 'warn', text }),
    showsError: true,
  });
  return (
    <>
      <p className={`row ${styles.downloads}`}>
        <Button disabled={pending} onClick={() => void send(false)}>
          Download Revision List
        </Button>
        <Button disabled={pending} onClick={() => void send(true)}>
          Download what I lost marks on
        </Button>
      </p>
      {error !== undefined && <Notice tone="bad" title={`The file could not be made. ${sentence(error)}`} />}
    </>
  );
};

/** Of whoever sat it, a question that was left out has lost all its marks. */
const marksOf = ({ questions }: StudentCard) =>
  new Map(questions.map(({ questionId, mark, max }) => [questionId, { mark: mark ?? 0, max }]));
