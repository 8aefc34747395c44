import { describe, expect, test } from 'vitest';
import { rebased, toggled } from '../../../ui/assessments/change.ts';
import type { TreeNode } from '../../../ui/assessments/tree.ts';
import { linesOf, moveOf, wayTo } from '../../../ui/assessments/tree.ts';

const node = (id: string, parentId: string | null = null): TreeNode => ({ id, name: id, parentId });
const adding = node('Adding fractions', 'Fractions');
const nodes = [node('Number'), node('Fractions', 'Number'), adding, node('Decimals', 'Number'), node('Algebra')];
const shown = (open: readonly string[], search = '') =>
  linesOf(nodes, new Set(open), search).map(({ node: { name }, level }) => `${level} ${name}`);

describe('a tree', () => {
  test('shows what is open', () => {
    expect(shown([])).toEqual(['1 Number', '1 Algebra']);
    expect(shown(['Number'])).toEqual(['1 Number', '2 Fractions', '2 Decimals', '1 Algebra']);
    expect(linesOf(nodes, new Set(['Number']), '')[2]).toMatchObject({ place: 2, siblings: 2, hasChildren: false, open: false });
  });

  test('searched shows what is found, what it lies under and what lies below it', () => {
    expect(shown([], 'ADD frac')).toEqual(['1 Number', '2 Fractions', '3 Adding fractions']);
    expect(shown([], 'fractions')).toEqual(['1 Number', '2 Fractions', '3 Adding fractions']);
    expect(shown([], 'geometry')).toEqual([]);
  });

  test('is walked by arrows, Home and End', () => {
    const lines = linesOf(nodes, new Set(['Number']), '');
    expect(moveOf('ArrowDown', lines, 0)).toEqual({ focus: 1 });
    expect(moveOf('ArrowUp', lines, 0)).toEqual({ focus: 0 });
    expect(moveOf('ArrowRight', lines, 1)).toEqual({ toggle: 'Fractions' });
    expect(moveOf('ArrowRight', lines, 0)).toEqual({ focus: 1 });
    expect(moveOf('ArrowLeft', lines, 2)).toEqual({ focus: 0 });
    expect(moveOf('ArrowLeft', lines, 0)).toEqual({ toggle: 'Number' });
    expect([moveOf('End', lines, 0), moveOf('Home', lines, 3), moveOf('a', lines, 0)]).toEqual([{ focus: 3 }, { focus: 0 }, undefined]);
  });

  test('tells the way to a topic', () => {
    expect(wayTo(adding, new Map(nodes.map((one) => [one.id, one])))).toBe('Number › Fractions › Adding fractions');
  });
});

describe('a change that is not saved yet', () => {
  test('is none any more once everything is as it was', () => {
    const ticked = toggled({ id: 'item', to: ['a'], was: ['a'] }, 'b');
    expect(ticked).toEqual({ id: 'item', to: ['a', 'b'], was: ['a'] });
    expect(ticked && toggled(ticked, 'b')).toBeUndefined();
  });

  test('is done to what somebody else has stored meanwhile', () => {
    // They removed a and added c; here b was added and nothing removed.
    expect(rebased({ id: 'item', to: ['a', 'b'], was: ['a'] }, ['c'])).toEqual({ id: 'item', to: ['c', 'b'], was: ['c'] });
    // What was unticked here goes from their list too.
    expect(rebased({ id: 'item', to: [], was: ['a'] }, ['a', 'c'])).toEqual({ id: 'item', to: ['c'], was: ['a', 'c'] });
    expect(rebased({ id: 'item', to: ['a', 'b'], was: ['a'] }, ['a', 'b'])).toBeUndefined();
  });
});
