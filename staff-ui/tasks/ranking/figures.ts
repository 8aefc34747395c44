import type { RankedStudent } from '#api/tasks/ranking/task-ranking.contract';

const two = new Intl.NumberFormat('en-GB', { minimumFractionDigits: 2, maximumFractionDigits: 2 });

/** 71.20; '–' where there is none. */
export const scoreText = (score: number | null): string => (score === null ? '–' : two.format(score));
/** +2, 0, −1; blank where there is none. */
export const residualText = (residual: number | null): string =>
  residual === null ? '' : residual > 0 ? `+${residual}` : residual < 0 ? `−${-residual}` : '0';
export const rankText = (ranking: number | null): string => (ranking === null ? '–' : String(ranking));

type Flagged = Pick<RankedStudent, 'rankingFlag' | 'gradeFlag' | 'rankingComment' | 'gradeComment'>;

/** 'Flagged: Was ill · A grade too low'; '' of somebody who is not flagged. */
export const flaggedText = ({ rankingFlag, gradeFlag, rankingComment, gradeComment }: Flagged): string => {
  const comments = [rankingComment, gradeComment].filter((comment) => comment !== null);
  if (comments.length > 0) return `Flagged: ${comments.join(' · ')}`;
  return rankingFlag || gradeFlag ? 'Flagged' : '';
};

/** 'A*, which counts as 56', '104', 'no prior score' */
export const priorText = (prior: string | null, points: number | null): string => {
  if (prior === null) return 'no prior score';
  return points === null || Number(prior) === points ? prior : `${prior}, which counts as ${points}`;
};

/**
 * The rank or score that the totals of now would give, where it is another than was computed. An override is no reason for it: it stands beside
 * what was computed, which nobody's total has changed. undefined: the same, or none.
 */
export const nowOf = ({ now, computed }: Pick<RankedStudent, 'now' | 'computed'>, part: 'ranking' | 'score'): string | undefined => {
  if (!now || now[part] === computed[part]) return undefined;
  if (part === 'score') return scoreText(now.score);
  return now.ranking === null ? undefined : rankText(now.ranking);
};
