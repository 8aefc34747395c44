import type { Change, Sentence } from './sentence.ts';
import type { RecordedEvent } from './registry.ts';
export const describe = (event: RecordedEvent): { readonly sentence: Sentence; readonly changes: readonly Change[] } => ({
  sentence: ['did ', event.type],
  changes: [],
});
