import { describe, expect, it } from 'vitest';
import {
  changedIn,
  contentOf,
  isContentOvertaken,
  partsOf,
  typedOver,
  withContent,
  withoutSame,
} from '../../../staff-ui/tasks/dialog/task-content.ts';

const now = contentOf({
  name: 'Spring',
  expiry: '2026-12-01',
  teacherInput: true,
  sets: [{ setId: 'x', tests: [{ testId: 'mock' }] }],
} as never);

describe('what is typed in step 1', () => {
  it('sends only what was touched, with what was seen there', () => {
    const draft = withContent(withContent(undefined, now, { name: 'Spring term ' }), now, { maps: ['x mock', 'y mock'] });
    const sent = draft && withoutSame(draft, now);
    expect(sent && { ...partsOf(sent.value), was: partsOf(sent.saw) }).toEqual({
      name: 'Spring term',
      maps: [
        { setId: 'x', testId: 'mock' },
        { setId: 'y', testId: 'mock' },
      ],
      was: { name: 'Spring', maps: [{ setId: 'x', testId: 'mock' }] },
    });
  });

  it('is nothing once it reads as it is stored, but for spaces that are still being typed', () => {
    const draft = withContent(undefined, now, { name: 'Spring ' });
    expect([draft?.value, changedIn(draft, now)]).toEqual([{ name: 'Spring ' }, []]);
    expect(withContent(draft, now, { name: 'Spring' })).toBeUndefined();
  });

  it('is overtaken by another value of the same field, not by the same, nor by another field', () => {
    const draft = withContent(undefined, now, { name: 'Summer' })!;
    expect(isContentOvertaken(draft, { ...now, name: 'Autumn' })).toBe(true);
    expect(isContentOvertaken(draft, { ...now, name: 'Summer' })).toBe(false);
    expect(isContentOvertaken(draft, { ...now, expiry: '2027-01-01' })).toBe(false);
    // Typed on, it still stands on what was seen first.
    expect(withContent(draft, { ...now, name: 'Autumn' }, { name: 'Summer 2' })?.saw).toEqual({ name: 'Spring' });
  });

  it('keeps what was typed over while it was on its way, upon what was stored', () => {
    const sent = withContent(undefined, now, { name: 'Summer', teacherInput: false })!;
    const later = withContent(sent, now, { name: 'Summer term' });
    expect(typedOver(later, sent)).toEqual({ value: { name: 'Summer term' }, saw: { name: 'Summer' } });
    expect(typedOver(sent, sent)).toBeUndefined();
  });
});
