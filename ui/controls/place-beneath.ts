/** Puts what floats beneath something, or above it where there is no room, and within the window. Its position is fixed. */
export const placeBeneath = (floating: HTMLElement, under: Pick<DOMRect, 'left' | 'top' | 'bottom'>): void => {
  const { width, height } = floating.getBoundingClientRect();
  const [right, foot] = [document.documentElement.clientWidth - EDGE, window.innerHeight - EDGE];
  const below = under.bottom + GAP;
  const above = under.top - GAP - height;
  const top = below + height <= foot || above < EDGE ? Math.min(below, Math.max(EDGE, foot - height)) : above;
  Object.assign(floating.style, { left: `${Math.max(EDGE, Math.min(under.left, right - width))}px`, top: `${top}px` });
};

const EDGE = 8;
const GAP = 4;
