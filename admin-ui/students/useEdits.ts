import { dateOf } from '#api/contract/dates';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { GetListResult } from 'react-admin';
import type { ApiRefusal } from '../../ui/api/failure.ts';
import { isCertain } from '../../ui/api/failure.ts';
import { useSend } from '../../ui/sending/useSend.ts';
import type { Trouble } from '../../ui/drafts/seen.ts';
import type { Removal } from '../dialog/RemovalDialog.tsx';
import { useRecordDrafts } from '../drafts/useRecordDrafts.ts';
import { counted } from '../format.ts';
import type { ChangeStudentsInput, Student, Typed } from './student.ts';
import { changeOf, typedOf, wrongIn } from './student.ts';
import { OFF_ROLL } from '../../ui/students/place-of.ts';
import { actOf, undoAll, undoneNotice } from './undone.ts';

/** Unsubmitted changes across the pages and sets of a subject; one command submits them all. In memory, for they hold names. */
export const useEdits = (subjectId: string) => {
  const records = useRecordDrafts<Typed, Student, ChangeStudentsInput>({ resource: 'students', valueOf: typedOf, asStored });
  const { store, drafts, troubles, ids, now, draftOf, put } = records;
  const [isTried, setTried] = useState(false);
  const edits = Object.values(drafts);

  const client = useQueryClient();
  /** Puts stored values into the lists before they are read again, so that further edits are based on them. */
  const show = async (stored: Readonly<Record<string, Typed>>): Promise<void> => {
    const lists = { queryKey: ['students', 'getList'] };
    // An answer that is on its way may be older.
    await client.cancelQueries(lists);
    client.setQueriesData<GetListResult<Student>>(lists, (list) => list && { ...list, data: withStored(list.data, stored) });
  };

  const { send, pending } = useSend({
    /** Returns the commands that stored something, the last first, and what they did in words. What was left uncertain is sent again first. */
    act: async (ids: readonly string[], command) => {
      const stored: string[] = [];
      const changes: ChangeStudentsInput['changes'] = [];
      await store.save(
        ids,
        (all) => ({ subjectId, changes: Object.values(all).map(changeOf) }),
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
      return { stored, act: actOf(changes, (studentId) => edits.find(({ saw }) => saw.studentId === studentId)?.saw) };
    },
    invalidates: 'everything',
    notice: ({ stored, act }) => (stored.length > 0 ? { text: 'Submitted successfully!', more: `${act}.` } : undefined),
    undo:
      ({ stored, act }) =>
      async (command) =>
        undoneNotice(act, await undoAll(command, subjectId, stored)),
  });

  const wrongNow = () => Object.values(store.seen().drafts).filter((edit) => Object.keys(wrongIn(edit)).length > 0).length;
  const wrong = wrongNow();
  const removed = edits.filter(({ value }) => value.removed);
  const offRoll = removed.filter(({ saw }) => saw.setId === null).length;
  return {
    ...records,
    count: edits.length,
    /** Edits of students whom somebody else has removed from the subject. */
    gone: now ? edits.filter(({ saw }) => !now.has(saw.id)) : [],
    /** By field, before the server is asked, and as it has answered; `was`: about the whole row. */
    wrongOf: (student: Student): Readonly<Record<string, string>> => ({ ...wrongIn(draftOf(student)), ...troubles[student.id]?.fields }),
    /** Keeps the edit on top of somebody else's change to a student. */
    keepMine: (student: Student) => put({ ...draftOf(student), saw: student }),
    discardAll: () => {
      store.discard(ids);
      setTried(false);
    },
    /** Who would be removed. */
    removal: { students: removed.length - offRoll, offRoll } satisfies Removal,
    /** They are moved to Off-Roll instead; who is there already stays there. */
    keepOffRoll: () => {
      for (const { value, saw } of removed) put({ value: { ...value, removed: false, place: OFF_ROLL }, saw });
    },
    submit: () => {
      setTried(wrongNow() > 0);
      if (wrongNow() === 0) void send(Object.keys(store.seen().drafts));
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
const asStored = (typed: Typed, before: Student): Student => ({
  ...before,
  admissionNo: typed.admissionNo.trim(),
  name: typed.name.trim(),
  dateOfBirth: dateOf(typed.dateOfBirth.trim()) ?? null,
  setId: typed.place === OFF_ROLL ? null : typed.place,
});

const withStored = (students: readonly Student[], stored: Readonly<Record<string, Typed>>): Student[] =>
  students.flatMap((student) => {
    const typed = stored[student.id];
    if (!typed) return [student];
    return typed.removed ? [] : [asStored(typed, student)];
  });

/** Nothing of a refused submission is stored. The server names students by their place in it: `changes.3.name`. */
const troublesOf = (ids: readonly string[], { errors, message: reason }: ApiRefusal): Readonly<Record<string, Trouble>> => {
  const byRow = Map.groupBy(errors, ({ path }) => path.split('.')[1]);
  return Object.fromEntries(
    ids.map((id, index) => {
      const fields = Object.fromEntries(
        (byRow.get(String(index)) ?? []).map(({ path, message }) => [path.split('.')[2] ?? 'was', message]),
      );
      return [id, { kind: 'refused', reason, fields, ofAll: true }] as const;
    }),
  );
};
