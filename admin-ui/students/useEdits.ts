import { useState } from 'react';
import { useGetMany, useRefresh } from 'react-admin';
import { isRefused, sentence } from '../../ui/api/failure.ts';
import { useToast } from '../../ui/feedback/Toasts.tsx';
import { useUnsaved } from '../../ui/session/unsaved.ts';
import { useCommand } from '../data/useCommand.ts';
import { counted } from '../format.ts';
import type { Edit, Fields, Student } from './student.ts';
import { changeOf, fieldsOf, isChanged, wrongIn } from './student.ts';

/** Unsubmitted changes across the pages and sets of a subject; one command submits them all. */
export const useEdits = (subjectId: string) => {
  const command = useCommand();
  const refresh = useRefresh();
  const toast = useToast();
  const [edits, setEdits] = useState<ReadonlyMap<string, Edit>>(new Map());
  const [trouble, setTrouble] = useState<string>();
  const [submitting, setSubmitting] = useState(false);
  const count = edits.size;
  useUnsaved(count > 0);

  const put = (edit: Edit) =>
    setEdits((all) => {
      const next = new Map(all);
      if (isChanged(edit)) next.set(edit.student.studentId, edit);
      else next.delete(edit.student.studentId);
      return next;
    });
  // Edited students are also followed off the page, or their removal by somebody else would go unnoticed.
  const ids = [...edits.values()].map(({ student }) => student.id);
  const followed = useGetMany<Student>('students', { ids }, { enabled: count > 0, refetchOnMount: 'always' });
  const there = new Set(followed.data?.map(({ id }) => id));
  const isFollowed = followed.isFetchedAfterMount && !followed.isPlaceholderData;

  const editOf = (student: Student): Edit => edits.get(student.studentId) ?? { student, fields: fieldsOf(student), removed: false };

  const undo = (commandId: string) =>
    void command('UndoRosterChange', { subjectId, commandId }).catch((error: unknown) => toast({ tone: 'bad', text: sentence(error) }));

  const submit = async () => {
    const all = [...edits.values()];
    const wrong = all.filter((edit) => Object.keys(wrongIn(edit)).length > 0);
    if (wrong.length > 0) {
      setTrouble(`${counted(wrong.length, 'student')} cannot be submitted like this: see the marked fields.`);
      return;
    }
    setSubmitting(true);
    setTrouble(undefined);
    try {
      const { commandId } = await command('ChangeStudents', { subjectId, changes: all.map(changeOf) });
      setEdits(new Map());
      toast({ tone: 'good', text: 'Submitted successfully!', action: { label: 'Undo', run: () => undo(commandId) } });
    } catch (error) {
      setTrouble(sentence(error));
      if (isRefused(error)) {
        const errors = error.errors.map(({ path, message }) => [...path.split('.'), message]);
        setEdits(
          new Map(
            all.map((edit, index) => {
              const own = errors.filter(([, place]) => place === String(index)).map(([, , field = '', message = '']) => [field, message]);
              return [edit.student.studentId, { ...edit, wrong: Object.fromEntries(own) as Record<string, string> }];
            }),
          ),
        );
        refresh();
      }
    } finally {
      setSubmitting(false);
    }
  };

  return {
    count,
    /** Edits of students whom somebody else has removed from the subject. */
    gone: isFollowed ? [...edits.values()].filter(({ student }) => !there.has(student.id)) : [],
    letGo: ({ student }: Edit) => put({ student, fields: fieldsOf(student), removed: false }),
    editOf,
    change: (student: Student, fields: Partial<Fields>) => {
      const { wrong: _, ...edit } = editOf(student);
      put({ ...edit, fields: { ...edit.fields, ...fields } });
    },
    remove: (student: Student, removed: boolean) => put({ ...editOf(student), removed }),
    /** Accepts somebody else's change to a student, or keeps the edit on top of it. */
    settle: (now: Student, keep: boolean) => {
      const { fields, removed } = editOf(now);
      put(keep ? { student: now, fields, removed } : { student: now, fields: fieldsOf(now), removed: false });
    },
    discard: () => {
      setEdits(new Map());
      setTrouble(undefined);
    },
    submit,
    submitting,
    trouble,
  };
};

export type Edits = ReturnType<typeof useEdits>;
