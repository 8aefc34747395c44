import { changesOf, deletion, words } from '../change.ts';
import type { Change, Descriptions } from '../sentence.ts';
import { things } from '../sentence.ts';
import type { GradeKeys, gradeProfileEvents, GradeShares } from './grade-profile.ts';

export const gradeProfileSentences: Descriptions<typeof gradeProfileEvents> = {
  GradeProfileCreated: {
    says: ({ data }) => [`added the grade profile ${data.name} to `, things('yearGroup', data.yearGroupId)],
    changes: ({ id, data }) => contentOf(id, data),
  },
  GradeProfileEdited: {
    says: ({ id }) => ['changed the grade profile ', things('gradeProfile', id)],
    changes: ({ id, data }) => contentOf(id, data),
  },
  GradeProfileDeleted: deletion('deleted the grade profile ', 'gradeProfile', true, ({ id }) => id),
  GradeProfileRestored: deletion('restored the grade profile ', 'gradeProfile', false, ({ id }) => id),
};

type Content = { readonly name: string; readonly grades: GradeShares; readonly keys?: GradeKeys | undefined };

const contentOf = (id: string, { name, grades, keys = [] }: Content): readonly Change[] =>
  changesOf('gradeProfile', id, {
    Name: words(name),
    Grades: words(sharesText(grades)),
    'Grades as programs know them': keys.length === 0 ? null : words(keys.map(({ label, key }) => `${label}: ${key}`).join(', ')),
  });

/** "A 20 %, B 80 %" */
export const sharesText = (grades: GradeShares): string => grades.map(({ label, percent }) => `${label}: ${percent} %`).join(', ');
