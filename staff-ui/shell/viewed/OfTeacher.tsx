import type { ReactNode } from 'react';
import { Failure } from '../../../ui/feedback/Failure.tsx';
import { Notice } from '../../../ui/feedback/Notice.tsx';
import { Skeleton } from '../../../ui/feedback/Skeleton.tsx';
import { Page } from '../../../ui/frame/Page.tsx';
import { TeacherList } from './TeacherList.tsx';
import { useViewing } from './TeacherProvider.tsx';

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
