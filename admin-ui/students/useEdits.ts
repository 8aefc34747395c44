import { dateOf } from '#api/contract/dates';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { GetListResult } from 'react-admin';
import { useGetMany } from 'react-admin';
import type { ApiRefusal } from '../../ui/api/failure.ts';
import { isCertain } from '../../ui/api/failure.ts';
import { useSend } from '../../ui/sending/useSend.ts';
import type { Trouble } from '../../ui/drafts/seen.ts';
import { useMemoryDrafts, useSeen } from '../../ui/drafts/useDraftStore.ts';
import { useUnsaved } from '../../ui/session/unsaved.ts';
import { counted } from '../format.ts';
import type { ChangeStudentsInput, Edit, Fields, Student } from './student.ts';
import { changeOf, fieldsOf, isChanged, OFF_ROLL, wrongIn } from './student.ts';
import { actOf, undoAll, undoneNotice } from './undone.ts';

type Typed = Pick<Edit, 'fields' | 'removed'>;

/** Unsubmitted changes across the pages and sets of a subject; one command submits them all. In memory, for they hold names. */
export const useEdits = (subjectId: string) => {
  const store = useMemoryDrafts<Typed, Student, ChangeStudentsInput>(asStored);
  const { drafts, troubles } = useSeen(store);
  const [isTried, setTried] = useState(false);
  const edits = Object.entries(drafts).map(([studentId, { value, saw }]): Edit => {
    const wrong = troubles[studentId]?.fields;
    return { student: saw, ...value, ...(wrong && { wrong }) };
  });
  const count = edits.length;
  useUnsaved(count > 0);

  const put = ({ student, fields, removed }: Edit) => {
    const draft = { value: { fields, removed }, saw: student };
    if (isChanged({ student, fields, removed })) store.put({ [student.studentId]: draft });
    else store.discard([student.studentId]);
  };
  // Edited students are also followed off the page, or their removal by somebody else would go unnoticed.
  const ids = edits.map(({ student }) => student.id);
  const followed = useGetMany<Student>('students', { ids }, { enabled: count > 0, refetchOnMount: 'always' });
  const there = new Set(followed.data?.map(({ id }) => id));
  const isFollowed = followed.isFetchedAfterMount && !followed.isPlaceholderData;

  const editOf = (student: Student): Edit =>
    edits.find((edit) => edit.student.studentId === student.studentId) ?? { student, fields: fieldsOf(student), removed: false };

  const client = useQueryClient();
  /** What is stored stands in the lists before they are read again: whoever types on has seen it. */
  const show = async (stored: Readonly<Record<string, Typed>>): Promise<void> => {
    const lists = { queryKey: ['students', 'getList'] };
    // An answer that is on its way may be older.
    await client.cancelQueries(lists);
    client.setQueriesData<GetListResult<Student>>(lists, (list) => list && { ...list, data: withStored(list.data, stored) });
  };

  const { send, pending } = useSend({
    /** The commands that stored something, the last first (what was left uncertain is sent again before what was typed since), in words. */
    act: async (ids: readonly string[], command) => {
      const stored: string[] = [];
      const changes: ChangeStudentsInput['changes'] = [];
      await store.save(
        ids,
        (all) => ({ subjectId, changes: Object.values(all).map(({ value, saw }) => changeOf({ student: saw, ...value })) }),
        async ({ input, values }) => {
          try {
            stored.unshift((await command('ChangeStudents', input)).commandId);
            changes.push(...input.changes);
          } catch (error) {
            if (!isCertain(error)) throw error;
            return troublesOf(Object.keys(values), error);
          }
          await show(values);
          return {};
        },
      );
      return { stored, act: actOf(changes, (studentId) => drafts[studentId]?.saw) };
    },
    invalidates: 'everything',
    notice: ({ stored, act }) => (stored.length > 0 ? { text: 'Submitted successfully!', more: `${act}.` } : undefined),
    undo:
      ({ stored, act }) =>
      async (command) =>
        undoneNotice(act, await undoAll(command, subjectId, stored)),
  });

  const wrong = edits.filter((edit) => Object.keys(wrongIn(edit)).length > 0).length;
  return {
    count,
    /** Edits of students whom somebody else has removed from the subject. */
    gone: isFollowed ? edits.filter(({ student }) => !there.has(student.id)) : [],
    letGo: ({ student }: Edit) => store.discard([student.studentId]),
    editOf,
    change: (student: Student, fields: Partial<Fields>) => {
      const edit = editOf(student);
      put({ ...edit, fields: { ...edit.fields, ...fields } });
    },
    remove: (student: Student, removed: boolean) => put({ ...editOf(student), removed }),
    /** Accepts somebody else's change to a student, or keeps the edit on top of it. */
    settle: (now: Student, keep: boolean) =>
      put(keep ? { ...editOf(now), student: now } : { student: now, fields: fieldsOf(now), removed: false }),
    discard: () => {
      store.discard(Object.keys(drafts));
      setTried(false);
    },
    submit: () => {
      setTried(wrong > 0);
      if (wrong === 0) void send(Object.keys(drafts));
    },
    submitting: pending,
    trouble:
      isTried && wrong > 0
        ? `${counted(wrong, 'student')} cannot be submitted like this: see the marked fields.`
        : Object.values(troubles).find(({ ofAll }) => ofAll)?.reason,
  };
};

export type Edits = ReturnType<typeof useEdits>;

/** A student as it looks once an edit is stored. */
const asStored = ({ fields }: Typed, before: Student): Student => ({
  ...before,
  admissionNo: fields.admissionNo.trim(),
  name: fields.name.trim(),
  dateOfBirth: dateOf(fields.dateOfBirth.trim()) ?? null,
  setId: fields.place === OFF_ROLL ? null : fields.place,
});

const withStored = (students: readonly Student[], stored: Readonly<Record<string, Typed>>): Student[] =>
  students.flatMap((student) => {
    const typed = stored[student.studentId];
    if (!typed) return [student];
    return typed.removed ? [] : [asStored(typed, student)];
  });

/** Nothing of a refused submission is stored. The server names students by their place in it: `changes.3.name`. */
const troublesOf = (students: readonly string[], { errors, message: reason }: ApiRefusal): Readonly<Record<string, Trouble>> => {
  const own = Map.groupBy(errors, ({ path }) => path.split('.')[1]);
  return Object.fromEntries(
    students.map((studentId, index) => {
      const fields = Object.fromEntries((own.get(String(index)) ?? []).map(({ path, message }) => [path.split('.')[2] ?? 'was', message]));
      return [studentId, { kind: 'refused', reason, fields, ofAll: true }] as const;
    }),
  );
};
