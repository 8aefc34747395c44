import { describe, expect, it } from 'vitest';
import type { Content } from '../../../staff-ui/tasks/dialog/task-content.ts';
import {
  changedIn,
  contentOf,
  fieldsOf,
  isContentOvertaken,
  keepTypedOver,
  partsOf,
  typeContent,
} from '../../../staff-ui/tasks/dialog/task-content.ts';
import { DraftStore } from '../../../ui/drafts/store.ts';

const now = contentOf({
  name: 'Spring',
  expiry: '2026-12-01',
  teacherInput: true,
  sets: [{ setId: 'x', tests: [{ testId: 'mock' }] }],
} as never);

const typing = (...parts: readonly Partial<Content>[]) => {
  const store = new DraftStore<Content[keyof Content], Content[keyof Content], never>(undefined, { sawOf: (_, before) => before });
  for (const part of parts) typeContent(store, now, part);
  return store;
};

describe('what is typed in step 1', () => {
  it('sends only what was touched, with what was seen there', () => {
    const sent = changedIn(typing({ name: 'Spring term ' }, { maps: ['x mock', 'y mock'] }).seen().drafts, now);
    expect({ ...partsOf(fieldsOf(sent, 'value')), was: partsOf(fieldsOf(sent, 'saw')) }).toEqual({
      name: 'Spring term',
      maps: [
        { setId: 'x', testId: 'mock' },
        { setId: 'y', testId: 'mock' },
      ],
      was: { name: 'Spring', maps: [{ setId: 'x', testId: 'mock' }] },
    });
  });

  it('is nothing once it reads as it is stored, but for spaces that are still being typed', () => {
    const store = typing({ name: 'Spring ' });
    expect([fieldsOf(store.seen().drafts, 'value'), changedIn(store.seen().drafts, now)]).toEqual([{ name: 'Spring ' }, {}]);
    typeContent(store, now, { name: 'Spring' });
    expect(store.seen().drafts).toEqual({});
  });

  it('is overtaken by another value, not by the same, and still stands on what was seen first when it is typed on', () => {
    const store = typing({ name: 'Summer' });
    const overtakenBy = (name: string) => Object.values(store.seen().drafts).map((draft) => isContentOvertaken(draft, name));
    expect(['Autumn', 'Summer ', 'Spring'].flatMap(overtakenBy)).toEqual([true, false, false]);
    typeContent(store, { ...now, name: 'Autumn' }, { name: 'Summer 2' });
    expect(fieldsOf(store.seen().drafts, 'saw')).toEqual({ name: 'Spring' });
  });

  it('keeps what was typed over while it was on its way, upon what was stored', () => {
    const store = typing({ name: 'Summer' }, { teacherInput: false });
    const sent = store.seen().drafts;
    typeContent(store, now, { name: 'Summer term' });
    keepTypedOver(store, sent);
    expect(store.seen().drafts).toEqual({ name: { value: 'Summer term', saw: 'Summer' } });
  });
});
