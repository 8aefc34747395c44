import type { RankingPreview } from '#api/tasks/ranking/ranking-preview.contract';
import { toldApart } from '#api/contract/names';
import { flagsText } from '#api/tasks/task-fields.contract';
import { counted, some } from '../../format.ts';
import { scoreText } from './figures.ts';
import type { NamedFlag } from './FlaggedTotals.tsx';

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

type PreviewNotice = {
  readonly tone: 'warn' | 'plain';
  readonly title: string;
  readonly texts?: readonly string[];
  readonly totals?: readonly NamedFlag[];
};

/** What to look at before the students are ranked, the most urgent first. */
export const notices = ({ warnings, changes, voids, decisions: { gone, kept }, same }: RankingPreview): readonly PreviewNotice[] => {
  const flagged = flaggedIn(warnings);
  const others = warnings.filter((warning) => !isFlagged(warning));
  const listed = (tone: PreviewNotice['tone'], title: string, texts: readonly string[]): readonly PreviewNotice[] =>
    texts.length > 0 ? [{ tone, title, texts }] : [];
  const flagsTitle = `${flagsText(flagged.map(({ flag }) => flag))}. Decide or correct them before you rank`;
  const voidsTitle = `Checks that would be void: ${some(voids.map(({ name }) => name))}. Their teachers have to check again.`;
  return [
    ...(flagged.length > 0 ? [{ tone: 'warn' as const, title: flagsTitle, totals: flagged }] : []),
    ...listed('warn', 'Look at this before you rank', others.map(warningText)),
    ...(changes
      ? [{ tone: 'plain' as const, title: same ? 'Nothing would change: it is the ranking that stands.' : changesText(changes) }]
      : []),
    ...(voids.length > 0 && !same ? [{ tone: 'warn' as const, title: voidsTitle }] : []),
    ...listed('warn', 'Decided by hand, and gone with the ranking that stands:', gone.map(byHandText)),
    ...listed('plain', 'Decided by hand, and kept, because these students still have no score:', kept.map(byHandText)),
  ];
};

/** The warnings about totals. */
export const flaggedIn = (warnings: readonly Warning[]): readonly NamedFlag[] =>
  warnings.filter(isFlagged).map(({ about, ...total }) => ({ ...total, flag: about }));

/** A warning about a total; the others say why a ranking may mean less than it seems to. */
const isFlagged = (warning: Warning): warning is Flagged => 'test' in warning;

const warningText = (warning: Exclude<Warning, Flagged>): string => {
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

/** 'Adams, Ann: rank 3, score 50.00', 'Evans, Tom: exempt' */
const byHandText = ({ name, ranking, score, exempt }: RankingPreview['decisions']['gone'][number]): string =>
  `${name ?? 'Forgotten student'}: ${[
    ...(exempt ? ['exempt'] : []),
    ...(ranking === null ? [] : [`rank ${ranking}`]),
    ...(score === null ? [] : [`score ${scoreText(score)}`]),
  ].join(', ')}`;

const changesText = ({ scores, rankings, joined, left }: NonNullable<RankingPreview['changes']>): string =>
  [
    `${counted(scores, 'student')} would have another score, ${rankings} another ranking`,
    joined > 0 ? `${joined} would be new in it` : undefined,
    left.length > 0 ? `${some(left.map(({ name }) => name ?? 'a forgotten student'))} would not be in it any more` : undefined,
  ]
    .filter((part) => part !== undefined)
    .join('; ') + '.';
