const two = new Intl.NumberFormat('en-GB', { minimumFractionDigits: 2, maximumFractionDigits: 2 });

/** 71.20; '–' where there is none. */
export const scoreText = (score: number | null): string => (score === null ? '–' : two.format(score));
/** +2, 0, −1; blank where there is none. */
export const residualText = (residual: number | null): string =>
  residual === null ? '' : residual > 0 ? `+${residual}` : residual < 0 ? `−${-residual}` : '0';
export const rankText = (ranking: number | null): string => (ranking === null ? '–' : String(ranking));
