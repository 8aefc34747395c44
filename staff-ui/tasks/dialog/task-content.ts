import type { Task } from '#api/tasks/task.contract';
import { DEFAULT_EXPIRY } from '#api/tasks/task-fields.contract';
import type { Draft } from '../../../ui/drafts/drafts.ts';
import { same } from '../../../ui/drafts/drafts.ts';
import { dayAhead } from '../days.ts';
import { mapKey, mapOf } from './maps.ts';

/** What step 1 says of a task. `maps`: sorted keys of classes with their assessments (`mapKey`). */
export type Content = { readonly name: string; readonly expiry: string; readonly teacherInput: boolean; readonly maps: readonly string[] };

/** What was touched, and what stood there when it was touched. Fields that were not touched follow what others save. */
export type ContentDraft = Draft<Partial<Content>, Partial<Content>>;

export const contentOf = (task: Pick<Task, 'name' | 'expiry' | 'teacherInput' | 'sets'> | undefined): Content => ({
  name: task?.name ?? '',
  expiry: task?.expiry ?? dayAhead(DEFAULT_EXPIRY),
  teacherInput: task?.teacherInput ?? true,
  maps: (task?.sets ?? []).flatMap(({ setId, tests }) => tests.map(({ testId }) => mapKey({ setId, testId }))).toSorted(),
});

const isSameField = (field: keyof Content, one: Partial<Content>, other: Partial<Content>): boolean =>
  field === 'name' ? one.name?.trim() === other.name?.trim() : same(one[field], other[field]);

const fieldsOf = (of: Partial<Content>) => Object.keys(of) as readonly (keyof Content)[];
const picked = (of: Partial<Content>, fields: readonly (keyof Content)[]): Partial<Content> =>
  Object.fromEntries(fields.map((field) => [field, of[field]]));
const draftOf = ({ value, saw }: ContentDraft, fields: readonly (keyof Content)[]): ContentDraft | undefined =>
  fields.length === 0 ? undefined : { value: picked(value, fields), saw: picked(saw, fields) };

/** The fields that say otherwise than what is stored now. */
export const changedIn = (draft: ContentDraft | undefined, now: Content): readonly (keyof Content)[] =>
  draft ? fieldsOf(draft.value).filter((field) => !isSameField(field, draft.value, now)) : [];

/** What would be sent; undefined: nothing. */
export const withoutSame = (draft: ContentDraft, now: Content): ContentDraft | undefined => draftOf(draft, changedIn(draft, now));

/** After typing. A field that was changed already keeps what was seen first; one that reads as it is stored was not touched. */
export const withContent = (before: ContentDraft | undefined, now: Content, part: Partial<Content>): ContentDraft | undefined => {
  const changed = new Set(changedIn(before, now));
  const fields = fieldsOf({ ...before?.value, ...part });
  const value = { ...before?.value, ...part };
  const saw = Object.fromEntries(fields.map((field) => [field, changed.has(field) ? before?.saw[field] : now[field]]));
  return draftOf(
    { value, saw },
    // Spaces at the end of a name that is being typed stay in the field.
    fields.filter((field) => !same(value[field], now[field])),
  );
};

/** What was typed over after it was sent, once that is stored. */
export const typedOver = (draft: ContentDraft | undefined, sent: ContentDraft): ContentDraft | undefined =>
  draft &&
  draftOf(
    { value: draft.value, saw: { ...draft.saw, ...sent.value } },
    fieldsOf(draft.value).filter((field) => !isSameField(field, draft.value, sent.value)),
  );

/** Somebody else has stored something else, in a field that was changed here. */
export const isContentOvertaken = (draft: ContentDraft, now: Partial<Content>): boolean =>
  fieldsOf(draft.value).some((field) => !isSameField(field, draft.value, now) && !isSameField(field, draft.saw, now));

/** As commands take them. */
export const partsOf = ({ name, maps, ...others }: Partial<Content>) => ({
  ...others,
  ...(name !== undefined && { name: name.trim() }),
  ...(maps !== undefined && { maps: maps.map(mapOf) }),
});
