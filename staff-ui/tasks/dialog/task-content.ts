import type { Task } from '#api/tasks/task.contract';
import { DEFAULT_EXPIRY } from '#api/tasks/task-fields.contract';
import type { Draft } from '../../../ui/drafts/drafts.ts';
import { same } from '../../../ui/drafts/drafts.ts';
import type { DraftStore } from '../../../ui/drafts/store.ts';
import { discardWhere, rebaseOn } from '../../../ui/drafts/useDraftStore.ts';
import { dayAhead } from '../days.ts';
import { mapKey, mapOf } from './maps.ts';

/** The fields of step 1. `maps`: sorted keys of classes with their assessments (`mapKey`). */
export type Content = { readonly name: string; readonly expiry: string; readonly teacherInput: boolean; readonly maps: readonly string[] };
type Value = Content[keyof Content];
const FIELDS = ['name', 'expiry', 'teacherInput', 'maps'] as const;

/** By field. Fields that were not touched follow what others save. */
export type ContentDrafts = Readonly<Record<string, Draft<Value, Value>>>;
type Store = DraftStore<Value, Value, never>;

export const contentOf = (task: Pick<Task, 'name' | 'expiry' | 'teacherInput' | 'sets'> | undefined): Content => ({
  name: task?.name ?? '',
  expiry: task?.expiry ?? dayAhead(DEFAULT_EXPIRY),
  teacherInput: task?.teacherInput ?? true,
  maps: (task?.sets ?? []).flatMap(({ setId, tests }) => tests.map(({ testId }) => mapKey({ setId, testId }))).toSorted(),
});

/** Spaces around a text make no difference. */
const isSame = (one: Value, other: Value): boolean =>
  typeof one === 'string' && typeof other === 'string' ? one.trim() === other.trim() : same(one, other);

/** The fields that differ from what is stored now. */
export const changedIn = (drafts: ContentDrafts, now: Content): ContentDrafts =>
  Object.fromEntries(
    FIELDS.flatMap((field) => {
      const draft = drafts[field];
      return draft && !isSame(draft.value, now[field]) ? [[field, draft] as const] : [];
    }),
  );

/** What was typed into the fields (`value`), or stood there when the typing began (`saw`). */
export const fieldsOf = (drafts: ContentDrafts, part: 'value' | 'saw'): Partial<Content> =>
  Object.fromEntries(Object.entries(drafts).map(([field, draft]) => [field, draft[part]]));

/** A field that was changed already keeps what was seen first; one that reads as it is stored has no draft. */
export const typeContent = (store: Store, now: Content, part: Partial<Content>): void => {
  for (const field of FIELDS) {
    const value = part[field];
    if (value === undefined) continue;
    const before = changedIn(store.seen().drafts, now)[field];
    // Spaces at the end of a name that is being typed stay in the field.
    store.put({ [field]: same(value, now[field]) ? undefined : { value, saw: before ? before.saw : now[field] } });
  }
};

/** After `sent` was stored: what was typed over it meanwhile stays, based on what was stored. */
export const keepTypedOver = (store: Store, sent: ContentDrafts): void => {
  rebaseOn(
    store,
    Object.entries(sent).map(([field, { value }]) => [field, value]),
  );
  discardWhere(store, ({ value, saw }) => isSame(value, saw));
};

/** Somebody else has stored something else in the field. */
export const isContentOvertaken = ({ value, saw }: Draft<Value, Value>, now: Value): boolean => !isSame(value, now) && !isSame(saw, now);

/** As commands take them. */
export const partsOf = ({ name, maps, ...others }: Partial<Content>) => ({
  ...others,
  ...(name !== undefined && { name: name.trim() }),
  ...(maps !== undefined && { maps: maps.map(mapOf) }),
});
