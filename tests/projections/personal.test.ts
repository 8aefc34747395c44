import { expect, test } from 'vitest';
import { projections } from '../../projections/all.ts';
import { emptied, personalTables } from '../../projections/engine/tables/personal.ts';
import { harmless, personal, table } from '../../projections/engine/tables/table.ts';

const tables = projections.flatMap((one) => Object.values(one.tables));

test('of every column that may hold a name it is said whether it does: a text or JSON is personal, or declared harmless', () => {
  const silent = tables.flatMap(({ name, columns }) =>
    columns
      .filter(({ type, person, harmless: isHarmless }) => /^(text|json)/.test(type) && person === undefined && isHarmless !== true)
      .map(
        (column) => `${name}.${column.name}: personal('${column.type}?', <the column with the person's id>), or harmless('${column.type}')`,
      ),
  );
  expect(silent).toEqual([]);
});

test('students, accounts, teachers and the names of files are about a person', () => {
  expect(personalTables(tables).map(({ name, columns }) => [name, columns.map((column) => column.name)])).toEqual(
    expect.arrayContaining([
      ['students', ['admission_no', 'admission_key', 'name', 'date_of_birth']],
      ['accounts', ['name', 'email']],
      ['teachers', ['name']],
      ['saves', ['file_name']],
    ]),
  );
});

test('a row of a forgotten person keeps what is not personal', () => {
  const notes = table('notes', {
    key: { note_id: 'uuid' },
    columns: { by: 'uuid', text: personal('text?', 'by'), kind: harmless('text') },
  });
  const row = { school_id: 's', note_id: 'n', by: 'p', text: 'Ann was ill', kind: 'note' };
  expect(emptied(notes, row)).toEqual({ ...row, text: null });
});

test('a personal column can be emptied, and says whose it is by a column that is there', () => {
  const wrong = { type: 'text', person: 'thing_id' } as const;
  expect(() => table('things', { key: { thing_id: 'uuid' }, columns: { name: wrong } })).toThrow(
    'things.name is personal, so it must be nullable',
  );
  expect(() => table('things', { key: { thing_id: 'uuid' }, columns: { name: personal('text?', 'owner') } })).toThrow(
    'owner, which is no column',
  );
});
