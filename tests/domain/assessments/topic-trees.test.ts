import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { template } from '../../../api/templates.ts';
import { parseTopicTree } from '../../../api/assessments/mapping/topics-file.contract.ts';
import { csvText } from '../../../api/contract/csv/write.ts';
import { bestMatches, matchPercent } from '../../../api/assessments/mapping/similarity.formula.ts';

const parsed = (text: string | Buffer) =>
  parseTopicTree({ name: 'tree.csv', type: 'text/csv', bytes: typeof text === 'string' ? new TextEncoder().encode(text) : text });
const head = 'Level 1,Level 2,Level 3\n';
const shipped = (name: string): Buffer => readFileSync(`admin-ui/public/topic_trees/${name}.csv`);

describe('a topic tree file', () => {
  test.each(['gcse_mathematics', 'gcse_combined_science', 'gcse_english'])('%s is ready to use', (name) => {
    const tree = parsed(shipped(name));
    if (!tree.ok) throw new Error(`${tree.message} ${tree.detail}`);
    expect(tree.rows.filter(({ path }) => path.length === 3).length).toBeGreaterThanOrEqual(60);
  });

  test('names each topic by its way from the top; levels may be left out from the right', () => {
    expect(parsed(`${head}Number,Fractions,"Adding, by parts"\nNumber,Decimals\n\nAlgebra\n`)).toEqual({
      ok: true,
      rows: [
        { line: 2, path: ['Number', 'Fractions', 'Adding, by parts'] },
        { line: 3, path: ['Number', 'Decimals'] },
        { line: 5, path: ['Algebra'] },
      ],
    });
    expect(shipped('topic_tree').toString()).toBe(template('topicTree'));
  });

  test.each([
    ['of another kind', 'Topic,Parent\nFractions,Number', undefined],
    ['with a level between left empty', `${head}Number,,Adding`, 'A level is empty with another one after it. See line 2, Level 2: "".'],
    ['with a topic twice', `${head}Number,Fractions\nnumber,FRACTIONS`, 'A topic is listed twice. See line 3, Level 2: "FRACTIONS".'],
    ['with a text in place of a name', `${head}${'x'.repeat(201)}`, expect.stringContaining('A name has more than 200 characters.')],
  ])('%s is refused, and it says where', (_which, text, detail) => {
    const message = 'The upload file does not meet the required format.';
    expect(parsed(text)).toMatchObject({ ok: false, message, ...(detail === undefined ? {} : { detail }) });
  });

  test('without topics is refused', () => {
    expect(parsed(head)).toMatchObject({ ok: false, message: 'The upload file has a header line, but no rows beneath it.' });
  });
});

describe('suggestions', () => {
  test.each([
    ['Fractions', 'fraction', 100],
    ['Adding fractions', 'Fractions, to be added', 100],
    ['Adding and subtracting fractions', 'Adding fractions', 80],
    ['Quadratic forms', 'Quadratic graphs and turning points', 33],
    ['Annuities', 'Circle theorems', 0],
    ['the', 'of the', 0],
    ['', 'Fractions', 0],
  ])('%j and %j match by %i percent', (one, other, percent) => {
    expect(matchPercent(one, other)).toBe(percent);
    expect(matchPercent(other, one)).toBe(percent);
  });

  test('are those that share a word, the best first, else in their order', () => {
    const candidates = ['Ratio', 'Multiplying fractions', 'Dividing fractions', 'Fractions'];
    expect(bestMatches('Fractions', candidates, (name) => name).map(({ candidate, percent }) => [candidate, percent])).toEqual([
      ['Fractions', 100],
      ['Multiplying fractions', 67],
      ['Dividing fractions', 67],
    ]);
  });
});

describe('a downloaded table', () => {
  test('holds no cell that a spreadsheet would run', () => {
    const cells = ['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', ' =1', '＝1', 'plain', -1, null];
    const text = csvText(
      ['a', 'b'],
      cells.map((cell) => ['x', cell]),
    );
    for (const line of text.split('\r\n').slice(1, 8)) expect(line).toMatch(/^x,"?'/);
    expect(text.split('\r\n').slice(8)).toEqual(['x,plain', 'x,-1', 'x,', '']);
  });

  test('tells Excel how its letters are written', () => {
    expect(csvText(['a'], [['b']])).toBe('a\r\nb\r\n');
    expect(csvText(['a'], [['b']], { mark: true })).toBe('\ufeffa\r\nb\r\n');
    expect(csvText(['a'], [['Łynx']])).toBe('\ufeffa\r\nŁynx\r\n');
  });
});
