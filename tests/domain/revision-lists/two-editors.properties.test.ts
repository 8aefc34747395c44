import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { AnyCommand } from '../../../api/common/command.ts';
import { Refused } from '../../../api/common/command.ts';
import { AddRevisionHeader, DeleteRevisionHeader, SaveRevisionList } from '../../../api/revision-lists/revision-lists.commands.ts';
import { RedoRevisionChange, UndoRevisionChange } from '../../../api/revision-lists/undo.commands.ts';
import type { Happened } from '../../support/decider.ts';
import { actor, given, id } from '../../support/decider.ts';

/**
 * Two people edit the list of two questions, each from what they saw when they last looked, add and delete headers, and undo and redo
 * anything.
 *
 * The model is the list of what was said about each thing, and what is undone is left out when it is read. Nobody's word is overwritten by
 * somebody who has not seen it.
 */
const questions = ['q1', 'q2'];
const headers = ['A', 'B'];
const who = fc.constantFrom('ann', 'ben');
const act = fc.oneof(
  { weight: 2, arbitrary: fc.record({ do: fc.constant('look' as const), who }) },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('put' as const),
      who,
      question: fc.constantFrom(...questions),
      under: fc.constantFrom(null, ...headers),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('delete' as const), header: fc.constantFrom(...headers) }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constantFrom('undo' as const, 'redo' as const), which: fc.nat(12) }) },
);

type Said = { readonly key: string; readonly thing: string; readonly is: string | null; undone: boolean };

test('what two people say about a list counts as if what was undone had never been said', () => {
  fc.assert(
    fc.property(fc.array(act, { maxLength: 14 }), (acts) => {
      const happened: Happened[] = [];
      const said: Said[] = [];
      const keys: string[] = [];
      const known = {
        test: true,
        questions: questions.map((name, index) => ({ questionId: id(name), number: index + 1, hidden: false })),
      };
      const send = (command: AnyCommand, input: object, facts: unknown, key: string) => {
        const decided = given(happened)
          .when(command, { subjectId: id('maths'), ...input }, facts, actor('teacher'), key)
          .decided();
        if (!(decided instanceof Refused)) happened.push(...decided.map((event) => ({ ...event, commandId: key })));
        return decided;
      };
      const headerIds = new Map<string, string>();
      for (const name of headers) {
        const decided = send(AddRevisionHeader, { name }, true, id(`add ${name}`));
        expect(decided).toMatchObject([{ type: 'RevisionHeaderAdded' }]);
        const [event] = decided instanceof Refused ? [] : decided;
        if (event?.type === 'RevisionHeaderAdded') headerIds.set(name, event.data.headerId);
      }
      const count = (thing: string): string | null => said.findLast((one) => one.thing === thing && !one.undone)?.is ?? null;
      const isDeleted = (header: string): boolean => count(header) !== null;
      const place = (question: string): string | null => {
        const under = count(question);
        return under === null || isDeleted(under) ? null : under;
      };
      const now = () => new Map(questions.map((question) => [question, place(question)]));
      const seen = new Map([
        ['ann', now()],
        ['ben', now()],
      ]);
      const idOf = (header: string | null | undefined) =>
        header === null || header === undefined ? null : (headerIds.get(header) ?? null);
      for (const [index, step] of acts.entries()) {
        const key = id(`act ${index}`);
        switch (step.do) {
          case 'look':
            seen.set(step.who, now());
            break;
          case 'put': {
            const was = seen.get(step.who)?.get(step.question);
            const input = {
              testId: id('mock'),
              questions: [{ questionId: id(step.question), headerId: idOf(step.under), was: { headerId: idOf(was), text: null } }],
            };
            const decided = send(SaveRevisionList, input, known, key);
            const before = place(step.question);
            if (step.under === before) expect(decided).toEqual([]);
            else if (step.under !== null && isDeleted(step.under)) expect(decided).toMatchObject({ code: 'not-found' });
            else if (was !== before) expect(decided).toMatchObject({ code: 'conflict' });
            else {
              expect(decided).toHaveLength(1);
              said.push({ key, thing: step.question, is: step.under, undone: false });
              keys.push(key);
            }
            break;
          }
          case 'delete':
            if (!isDeleted(step.header)) {
              said.push({ key, thing: step.header, is: 'deleted', undone: false });
              keys.push(key);
            }
            send(DeleteRevisionHeader, { headerId: idOf(step.header) }, true, key);
            break;
          case 'undo':
          case 'redo': {
            const of = keys[step.which % Math.max(1, keys.length)];
            if (of === undefined) break;
            for (const one of said) if (one.key === of) one.undone = step.do === 'undo';
            send(step.do === 'undo' ? UndoRevisionChange : RedoRevisionChange, { commandId: of }, true, key);
            break;
          }
        }
        expect(listed(happened, headerIds)).toEqual(now());
      }
    }),
    { numRuns: 300 },
  );
});

/** As a read model has it, which only takes over what the events list. */
const listed = (happened: readonly Happened[], headerIds: ReadonlyMap<string, string>): Map<string, string | null> => {
  const places = new Map<string, string | null>();
  const deleted = new Set<string>();
  for (const { type, data } of happened) {
    if (type === 'RevisionListSaved' || type === 'RevisionChangeUndone' || type === 'RevisionChangeRedone') {
      for (const { questionId, headerId } of data.questions) places.set(questionId, headerId);
    }
    if (type === 'RevisionHeaderDeleted') deleted.add(data.headerId);
    if (type === 'RevisionChangeUndone' || type === 'RevisionChangeRedone') {
      for (const header of data.headers) {
        if (header.deleted) deleted.add(header.headerId);
        else deleted.delete(header.headerId);
      }
    }
  }
  return new Map(
    questions.map((question) => {
      const headerId = places.get(id(question)) ?? null;
      const name = [...headerIds].find(([, one]) => one === headerId)?.[0] ?? null;
      return [question, headerId !== null && deleted.has(headerId) ? null : name];
    }),
  );
};
