/** The pictures of charts. Their code, and that of the library, is loaded with the first that is shown. */
import { lazily } from '../../../ui/lazily.ts';

export const BarsPicture = lazily(() => import('./BarsPicture.tsx'), 'BarsPicture');
export const LinePicture = lazily(() => import('./LinePicture.tsx'), 'LinePicture');
export const PointsPicture = lazily(() => import('./PointsPicture.tsx'), 'PointsPicture');
export const StackPicture = lazily(() => import('./StackPicture.tsx'), 'StackPicture');
