import { useState } from 'react';
import { Button } from '../../../ui/controls/Button.tsx';
import { Dialog } from '../../../ui/controls/Dialog.tsx';
import { leaving } from '../../../ui/session/unsaved.ts';
import { TeacherList } from './TeacherList.tsx';
import { useViewing } from './TeacherProvider.tsx';
import type { ReactNode } from 'react';
import { Failure } from '../../../ui/feedback/Failure.tsx';
import { Notice } from '../../../ui/feedback/Notice.tsx';
import { Skeleton } from '../../../ui/feedback/Skeleton.tsx';
import { ViewingBanner } from '../../../ui/frame/header/Viewing.tsx';
import { Page } from '../../../ui/frame/Page.tsx';
import { useSession } from '../../../ui/session/Session.tsx';

/** Says whose classes are shown. */
export const ViewedTeacher = () => {
  const viewing = useViewing();
  const { viewTeacher } = useSession();
  const [isOpen, setOpen] = useState(false);
  if (!viewing?.chosen) return null;
  const { all, chosen, choose } = viewing;
  return (
    <ViewingBanner name={chosen.name} says="You have your own rights here." onStop={() => viewTeacher(undefined)}>
      <Button onClick={() => setOpen(true)}>{chosen.name}: select another teacher</Button>
      <Dialog title="Select teacher" open={isOpen} onClose={() => setOpen(false)}>
        <div className="pad">
          <TeacherList
            teachers={all ?? []}
            current={chosen.teacherId}
            choose={(teacher) =>
              leaving('app', () => {
                choose(teacher);
                setOpen(false);
              })
            }
          />
        </div>
      </Dialog>
    </ViewingBanner>
  );
};

/** The pages of the teacher area, once it is known whose; before that, the teachers to choose from. */
export const OfTeacher = ({ children }: { readonly children: ReactNode }) => {
  const viewing = useViewing();
  if (!viewing || viewing.chosen) return children;
  const { all, error, retry, gone, choose } = viewing;
  return (
    <Page title="Select teacher" sub="You see the teacher’s classes with your own rights: what you enter is recorded as yours.">
      {gone !== undefined && <Notice tone="warn" title={`${gone} is not a teacher of this subject any more.`} />}
      {error !== null && error !== undefined && <Failure error={error} retry={retry} />}
      {!all && !error && <Skeleton rows={6} label="Loading teachers" />}
      {all && <TeacherList teachers={all} choose={choose} />}
    </Page>
  );
};
