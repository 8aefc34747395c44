import type { RevisionListsPage } from '#api/revision-lists/revision-lists.contract';
import type { SendCommand } from '../../ui/sending/useSend.ts';

export type Page = RevisionListsPage & { readonly test: NonNullable<RevisionListsPage['test']> };
type Question = Page['test']['questions'][number];
export type Header = Page['headers'][number];
type Place = { readonly headerId: string | null; readonly text: string | null };

/** What is changed and not saved yet, by question; `was`: what its user saw. */
export type Edits = ReadonlyMap<string, Place & { readonly was: Place }>;
export const NO_EDITS: Edits = new Map();

const placeOf = ({ headerId, text }: Place): Place => ({ headerId, text });
const isSame = (a: Place, b: Place): boolean => a.headerId === b.headerId && a.text === b.text;

/** A text goes with its header. */
const shown = ({ headerId, text }: Place): Place => ({ headerId, text: headerId === null || text === '' ? null : text });

/** As the dialog shows a question: with what its user has changed. A header that was deleted meanwhile is none. */
export const shownOf = (question: Question, edits: Edits, headers: readonly Header[]): Place => {
  const { headerId, text } = edits.get(question.questionId) ?? question;
  return shown({ headerId: headers.some((header) => header.headerId === headerId) ? headerId : null, text });
};

/** An edit that leads back to what was there is none. */
export const edited = (edits: Edits, question: Question, change: Partial<Place>): Edits => {
  const before = edits.get(question.questionId);
  const was = before?.was ?? placeOf(question);
  const next = { ...placeOf(before ?? question), ...change };
  const all = new Map(edits);
  if (isSame(shown(next), was)) all.delete(question.questionId);
  else all.set(question.questionId, { ...next, was });
  return all;
};

/** Once the user has read what a colleague has changed, the next save is based on that. */
export const seenAnew = (edits: Edits, questions: readonly Question[]): Edits =>
  new Map(
    [...edits].flatMap(([questionId, edit]) => {
      const question = questions.find((one) => one.questionId === questionId);
      return question ? [[questionId, { ...edit, was: placeOf(question) }]] : [];
    }),
  );

/** What is sent: the questions that are on the paper still. */
export const toSave = (edits: Edits, { test, headers }: Page) =>
  test.questions.flatMap((question) => {
    const edit = edits.get(question.questionId);
    return edit ? [{ questionId: question.questionId, ...shownOf(question, edits, headers), was: edit.was }] : [];
  });

/** The headers with the questions under them, as they are stored. */
export const listOf = ({ headers, test }: Page) =>
  headers
    .map(({ headerId, name }) => ({ headerId, name, questions: test.questions.filter((question) => question.headerId === headerId) }))
    .filter(({ questions }) => questions.length > 0);

/** Where a header goes that is dropped on another place. */
export const moved = (ids: readonly string[], from: number, to: number): readonly string[] => {
  const one = ids[from];
  return one === undefined || to < 0 || to >= ids.length || from === to ? ids : ids.toSpliced(from, 1).toSpliced(to, 0, one);
};

/** Takes a change back; the notice names what stays because colleagues use it. */
export const undoOf = (subjectId: string, commandId: string) => async (command: SendCommand) => {
  const { kept } = await command('UndoRevisionChange', { subjectId, commandId });
  return kept === 0
    ? 'Undone.'
    : `Undone. ${kept === 1 ? 'A topic header stays' : `${kept} topic headers stay`}: there are questions under ${kept === 1 ? 'it' : 'them'} now.`;
};
