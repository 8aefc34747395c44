import type { TeachersToView } from '#api/school/sets/sets.contract';
import type { Structure } from '#api/school/school.contract';
import type { ReactNode } from 'react';
import { createContext, use, useEffect, useMemo, useState } from 'react';
import { useQuestion } from '../../../ui/api/ApiProvider.tsx';
import { isRefused, isRefusedAsAnother } from '../../../ui/api/failure.ts';
import { useSession } from '../../../ui/session/Session.tsx';
import { limitedTo } from '../place.ts';

export type Teacher = TeachersToView['teachers'][number] & { readonly name: string };
type Viewing = {
  /** undefined: not known yet */
  readonly all: readonly Teacher[] | undefined;
  readonly error: unknown;
  readonly retry: () => void;
  /** The one whose classes are shown. */
  readonly chosen: Teacher | undefined;
  /** The name of a chosen teacher who no longer teaches the subject. */
  readonly gone: string | undefined;
  readonly choose: (teacher: Teacher) => void;
};
const ViewingContext = createContext<Viewing | undefined>(undefined);

/**
 * In the teacher area a leader or admin looks at the classes of one teacher, whom they choose first. The rights stay their own, and what
 * they write is recorded as theirs, with the teacher whom they viewed.
 */
export const TeacherProvider = ({ children }: { readonly children: ReactNode }) => {
  const { me, section, subject, teacher, viewTeacher, viewAs } = useSession();
  const isAsked = section === 'teacher' && (me.role === 'leader' || me.role === 'admin');
  const subjectId = isAsked ? subject?.subjectId : undefined;
  const { data, error: failed, refetch } = useQuestion('teachers-to-view', subjectId === undefined ? undefined : { subjectId });
  // An error of the teacher viewed before stays until the query is repeated, which may be after another one was chosen.
  const error = isRefusedAsAnother(failed, viewAs) ? undefined : failed;
  const all = useMemo(() => data?.teachers.map((one) => ({ ...one, name: one.name ?? 'Forgotten teacher' })), [data]);
  const chosen = all?.find(({ teacherId }) => teacherId === teacher?.teacherId);
  const [gone, setGone] = useState<string>();
  // The server answers nothing as somebody who is not there.
  const lost = subjectId !== undefined && teacher && (isRefused(error, 'forbidden') || (all && !chosen)) ? teacher.name : undefined;
  if (lost !== undefined && lost !== gone) setGone(lost);
  useEffect(() => {
    if (lost !== undefined) viewTeacher(undefined);
  }, [lost, viewTeacher]);
  const value = useMemo(
    (): Viewing | undefined =>
      subjectId === undefined
        ? undefined
        : {
            all: lost === undefined ? all : undefined,
            error: lost === undefined ? error : undefined,
            retry: () => void refetch(),
            chosen,
            gone,
            choose: ({ teacherId, name }) => {
              setGone(undefined);
              viewTeacher({ subjectId, teacherId, name });
            },
          },
    [subjectId, lost, all, error, refetch, chosen, gone, viewTeacher],
  );
  return <ViewingContext value={value}>{children}</ViewingContext>;
};

/** undefined: there is no teacher to choose. */
export const useViewing = (): Viewing | undefined => use(ViewingContext);

/** The classes that a dashboard shows: a teacher's own, those of the teacher who is viewed, otherwise all. */
export const useOwnClasses = (structure: Structure | undefined): Structure | undefined => {
  const { role } = useSession().me;
  const sets = useViewing()?.chosen?.sets;
  return useMemo(() => {
    if (!structure) return undefined;
    if (sets) return limitedTo(structure, ({ setId }) => sets.some((one) => one.setId === setId));
    return role === 'teacher' ? limitedTo(structure, ({ mayWrite }) => mayWrite) : structure;
  }, [structure, sets, role]);
};
