import { Redirect } from 'wouter';
import { Page } from '../../ui/frame/Page.tsx';
import { useGo } from '../../ui/frame/navigation.tsx';
import { useSession } from '../../ui/session/Session.tsx';
import type { FoundLine, FoundStudent } from '../../ui/students/StudentFinder.tsx';
import { StudentFinder } from '../../ui/students/StudentFinder.tsx';

/** Where staff choose the student whose pages to view. */
export const SelectPage = () => {
  const { me, view } = useSession();
  const go = useGo();
  if (me.role === 'student') return <Redirect to="/student" replace />;
  const choose = ({ student: { studentId, name } }: FoundLine) => {
    view({ studentId, name });
    go('/student');
  };
  return (
    <Page
      title="Select student"
      sub="You see the student’s own pages. Nothing can be changed there, and it is written down that you looked."
    >
      <StudentFinder label="Select student" linesOf={lineOf} choose={choose} most={50} />
    </Page>
  );
};

const lineOf = (student: FoundStudent): readonly FoundLine[] => [
  { key: student.studentId, student, about: student.places.flatMap(({ set }) => set ?? []).join(', ') || 'in no class now' },
];
