import type { RankingPreview } from '#api/tasks/ranking/ranking-preview.contract';
import { toldApart } from '#api/contract/names';
import { counted } from '../../format.ts';

type Warning = RankingPreview['warnings'][number];
type Flagged = Extract<Warning, { readonly test: string }>;

/** A preview with the students told apart, wherever it names them. */
export const namesInPreview = (preview: RankingPreview): RankingPreview => {
  const { students, warnings, decisions, changes } = preview;
  const all = [...students, ...(changes?.left ?? [])];
  const named = toldApart(all);
  if (named === all) return preview;
  return {
    ...preview,
    students: toldApart(students, all),
    warnings: warnings.map((warning) => ('studentId' in warning ? (toldApart([warning], all)[0] ?? warning) : warning)),
    decisions: { gone: toldApart(decisions.gone, all), kept: toldApart(decisions.kept, all) },
    changes: changes && { ...changes, left: toldApart(changes.left, all) },
  };
};

/** What is open about a total; the other warnings say why a ranking may say less than it seems to. */
export const isFlagged = (warning: Warning): warning is Flagged => 'test' in warning;

export const warningText = (warning: Exclude<Warning, Flagged>): string => {
  switch (warning.about) {
    case 'few-sat':
      return `${warning.name}: fewer than 10 students sat it.`;
    case 'far-apart':
      return `${warning.name}: the prior data of those who sat it is so far from the year group’s that its weight was limited.`;
    case 'small-cohort':
      return `Only ${counted(warning.students, 'student')}: fewer than 20 say little.`;
    case 'sat-few':
      return `${warning.name ?? 'A forgotten student'} sat ${warning.sat} of ${warning.of}.`;
  }
};
