import type { Replay } from '#api/history/replay/replay.contract';
import type { ReplayState } from '#api/history/replay/replay.formula';
import type { Voided } from '#api/history/replay/what-if.formula';
import { useState } from 'react';
import { useQuestion } from '../../../ui/api/ApiProvider.tsx';
import { Select } from '../../../ui/controls/Field.tsx';
import { Failure } from '../../../ui/feedback/Failure.tsx';

type VoidedQuestionProps = {
  readonly replay: Replay;
  readonly state: ReplayState;
  /** The tests that count, as places. */
  readonly tests: readonly number[];
  /** undefined: now */
  readonly asOf: string | undefined;
  readonly choose: (voided: Voided | undefined) => void;
};

/** Chooses a question that would not count, among those of a test: its marks are read as they were at the moment. */
export const VoidedQuestion = ({ replay, state, tests, asOf, choose }: VoidedQuestionProps) => {
  const [test, setTest] = useState<number>();
  const [questionId, setQuestion] = useState('');
  const testId = test === undefined ? undefined : replay.tests[test];
  const sheet = useQuestion('sheet', testId === undefined ? undefined : { testId, yearGroupId: replay.yearGroupId }, asOf);
  const voidQuestion = (to: string) => {
    setQuestion(to);
    const place = sheet.data?.questions.findIndex((question) => question.questionId === to) ?? -1;
    const max = sheet.data?.questions[place]?.max;
    if (test === undefined || !sheet.data || max === undefined) return choose(undefined);
    const marks = new Map(
      sheet.data.students.flatMap(({ studentId, cells }) => {
        const mark = cells[place]?.value ?? null;
        return mark === null ? [] : [[studentId, mark] as const];
      }),
    );
    choose({ test, max, marks });
  };
  return (
    <>
      <Select
        label="Void a question of"
        value={test ?? ''}
        onChange={({ target }) => {
          setTest(target.value === '' ? undefined : Number(target.value));
          setQuestion('');
          choose(undefined);
        }}
      >
        <option value="">No test</option>
        {tests.map((one) => (
          <option key={one} value={one}>
            {state.tests.get(one)?.name ?? 'A deleted assessment'}
          </option>
        ))}
      </Select>
      {sheet.error && <Failure error={sheet.error} retry={() => void sheet.refetch()} />}
      {test !== undefined && !sheet.error && (
        <Select
          label="Voided question"
          value={questionId}
          disabled={!sheet.data}
          hint="Its marks and its maximum are left out of the totals. A student without a mark for it has no total without it."
          onChange={({ target }) => voidQuestion(target.value)}
        >
          <option value="">{sheet.data ? 'None' : 'Loading its questions'}</option>
          {sheet.data?.questions.map(({ questionId: one, number, topic, max }) => (
            <option key={one} value={one}>
              {number} {topic} ({max})
            </option>
          ))}
        </Select>
      )}
    </>
  );
};
