import type { Draft } from '../../../ui/drafts/drafts.ts';
import type { DraftStore } from '../../../ui/drafts/store.ts';
import { useMemoryDrafts } from '../../../ui/drafts/useDraftStore.ts';
import type { CheckInput } from './check-input.ts';
import { checkInputText, isSameCheckInput } from './check-input.ts';

/** What stood when the typing about a student began. `of`: the ranking, or the grades; `name`: null of somebody who was forgotten. */
export type CheckSeen = { readonly input: CheckInput; readonly of: string | undefined; readonly name: string | null };
type CheckDraft = Draft<CheckInput, CheckSeen>;
/** By student. */
export type CheckDrafts = DraftStore<CheckInput, CheckSeen, never>;

/** What is typed of a check and not stored: it outlives the ranking that it is about, which may be made again, taken back or deleted. */
export const useCheckDrafts = (): CheckDrafts => useMemoryDrafts<CheckInput, CheckSeen>();

/** 'Adams, Ann: order 2', of what was changed. */
export const checkDraftLines = (drafts: Readonly<Record<string, CheckDraft>>): readonly string[] =>
  Object.values(drafts).flatMap(({ value, saw }) =>
    isSameCheckInput(value, saw.input) ? [] : [`${saw.name ?? 'Forgotten student'}: ${checkInputText(value)}`],
  );

/** Somebody else has said something since the typing began, and not the same. */
export const isCheckOvertaken = (
  { value, saw }: { readonly value: CheckInput; readonly saw: Pick<CheckSeen, 'input'> },
  now: Pick<CheckSeen, 'input'>,
): boolean => !isSameCheckInput(saw.input, now.input) && !isSameCheckInput(value, now.input);
