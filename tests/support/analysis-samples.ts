import type { Ids } from './school.ts';

/** A request for every query of figures, and of how they came about. */
export const analysisSamples = (ids: Ids) => {
  const { setA: setId, mock: testId, year: yearGroupId } = ids;
  return {
    'class-home': { setId },
    'progress-predictors': { setId },
    'predictor-questions': { setId, studentId: ids.students['A1'], schemeTopicId: ids.schemeTopic },
    questions: { subjectId: ids.maths },
    'question-analysis': { testId, yearGroupId },
    'question-students': { testId, questionId: ids.questions[0], setId },
    'leader-dashboard': { yearGroupId },
    'historic-totals': { yearGroupId, testId, schoolYear: '2025' },
    residuals: { yearGroupId },
    replay: { yearGroupId },
    'entered-totals': { yearGroupId },
  };
};
