import { useEffect, useEffectEvent, useRef } from 'react';
import { useSearchParams } from 'react-router';
import { momentIn, withMoment } from '../../ui/as-of/moments.ts';
import { useSession } from '../../ui/session/Session.tsx';
import { leaving } from '../../ui/session/unsaved.ts';

/** The fields that students are sorted by, with what they are called. */
export const SORTS = { admissionNo: 'Student ID', name: 'Name', dateOfBirth: 'Date of birth', set: 'Set' } as const;
export type SortField = keyof typeof SORTS;
export const sortFields = Object.keys(SORTS).filter((field): field is SortField => Object.hasOwn(SORTS, field));

export type StudentSort = { readonly field: SortField; readonly order: 'ASC' | 'DESC' };

/**
 * What Student Details shows, in the address, so that Back and Reload keep it and it can be sent: ?subject=&group=&find=&sort=&dir=. `group`:
 * a set's id, or Off-Roll.
 */
export const useStudentsPlace = () => {
  const [params, setParams] = useSearchParams();
  const { subject } = useSession();
  const change = (parts: Readonly<Record<string, string | undefined>>, isNewPlace = false) =>
    setParams(
      (before) => {
        const after = new URLSearchParams(before);
        for (const [name, value] of Object.entries({ ...parts, subject: subject?.subjectId })) {
          if (value === undefined || value === '') after.delete(name);
          else after.set(name, value);
        }
        return after;
      },
      { replace: !isNewPlace },
    );
  const sort: StudentSort = {
    field: sortFields.find((field) => field === params.get('sort')) ?? 'name',
    order: params.get('dir') === 'desc' ? 'DESC' : 'ASC',
  };
  return {
    group: params.get('group') ?? undefined,
    find: params.get('find') ?? '',
    sort,
    choose: (group: string | undefined, find?: string) => change({ group, find }, true),
    search: (find: string) => change({ find }),
    sortBy: ({ field, order }: StudentSort) =>
      change({ sort: field === 'name' ? undefined : field, dir: order === 'DESC' ? 'desc' : undefined }),
  };
};

export type StudentsPlace = ReturnType<typeof useStudentsPlace>;

/** The subject in the address is chosen; where another one is chosen after that, the address forgets what it said. */
export const useSubjectOfAddress = (): void => {
  const [params, setParams] = useSearchParams();
  const { me, subject, chooseSubject } = useSession();
  const followed = useRef<string>(undefined);
  const named = me.subjects.find(({ subjectId }) => subjectId === params.get('subject'))?.subjectId;
  const follow = useEffectEvent((wanted: string | undefined, now: string | undefined) => {
    const forget = () =>
      setParams((before) => withMoment(new URLSearchParams(), momentIn(before.get('asOf'), true).asOf), { replace: true });
    const isNew = wanted !== followed.current;
    followed.current = wanted;
    if (wanted === undefined || wanted === now) return;
    if (isNew) leaving('app', () => chooseSubject(wanted), forget);
    else forget();
  });
  useEffect(() => follow(named, subject?.subjectId), [named, subject?.subjectId]);
};
