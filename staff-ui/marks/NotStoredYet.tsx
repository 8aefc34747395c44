import { useMemo } from 'react';
import { Link } from 'wouter';
import { Button, buttonClass } from '../../ui/controls/Button.tsx';
import { Notice } from '../../ui/feedback/Notice.tsx';
import { useSession } from '../../ui/session/Session.tsx';
import { counted } from '../format.ts';
import { useStructure } from '../queries.ts';
import { useArea } from '../shell/area.ts';
import { placeQuery } from '../shell/place.ts';
import { useUploadDialogs } from './upload/request.ts';
import type { SheetKey, WaitingSheet } from '../../ui/marks/mark-drafts.ts';
import { isSameSheet, totalKey, waitingSheets } from '../../ui/marks/mark-drafts.ts';
import { useMarkDrafts, useTyping } from './Typing.tsx';

/**
 * Reminders of totals that were typed but not submitted, such as before a reload, and of marks that wait on this device. Saves in progress
 * have a strip of their own, and an open sheet itself says what waits there.
 */
export const NotStoredYet = () => {
  const { subject } = useSession();
  const isHere = useIsHere();
  const kept = useMarkDrafts();
  const { open } = useTyping();
  const sheets = useMemo(() => waitingSheets(kept), [kept]);
  const waiting = sheets.filter(
    // Totals are submitted in a dialog of their subject; marks are sent automatically, whichever subject is looked at.
    ({ sheetKey, kind }) =>
      kind === 'total' && isHere(sheetKey) ? sheetKey.subjectId === subject?.subjectId : !open.some((one) => isSameSheet(one, sheetKey)),
  );
  return (
    <>
      {!kept.isKept && Object.keys(kept.drafts).length > 0 && (
        <Notice tone="warn" title="This browser keeps nothing for later.">
          What you type is lost if you close this page before it is stored: submit it first.
        </Notice>
      )}
      {waiting.map((one) =>
        one.kind === 'total' ? (
          <WaitingTotals key={totalKey(one.sheetKey, 'total')} {...one} />
        ) : (
          <WaitingMarks key={totalKey(one.sheetKey, 'mark')} {...one} />
        ),
      )}
    </>
  );
};

const WaitingTotals = ({ sheetKey, keys }: WaitingSheet) => {
  const { drafts } = useTyping();
  const { open } = useUploadDialogs();
  const title = useTitle(sheetKey);
  const isHere = useIsHere()(sheetKey);
  return (
    <Notice
      tone="warn"
      actions={
        <>
          <Button onClick={() => drafts.discard(keys)}>Discard</Button>
          {isHere && (
            <Button look="primary" onClick={() => open({ kind: 'totals', by: 'hand', setId: sheetKey.setId, testId: sheetKey.testId })}>
              Go on
            </Button>
          )}
        </>
      }
    >
      <p>
        {counted(keys.length, 'total')} that you typed{title} {keys.length === 1 ? 'is' : 'are'} not stored yet.{!isHere && ` ${GONE}`}
      </p>
    </Notice>
  );
};

/** Marks are sent automatically: what stays here waits for the network, or for its author. */
const WaitingMarks = ({ sheetKey, keys }: WaitingSheet) => {
  const { drafts } = useTyping();
  const to = useSheetAddress(sheetKey);
  const title = useTitle(sheetKey);
  const { troubles } = useMarkDrafts();
  const isHere = useIsHere()(sheetKey);
  const reason = keys.map((key) => troubles[key]?.reason).find((one) => one !== undefined);
  return (
    <Notice
      tone="warn"
      actions={
        <>
          {reason !== undefined && <Button onClick={() => drafts.discard(keys)}>Discard</Button>}
          {to !== undefined && (
            <Link className={buttonClass()} to={to}>
              Open
            </Link>
          )}
        </>
      }
    >
      <p>
        {counted(keys.length, 'mark')}
        {title} {keys.length === 1 ? 'waits' : 'wait'} on this device.{isHere ? reason !== undefined && ` ${reason}` : ` ${GONE}`}
      </p>
    </Notice>
  );
};

/** Whether the subject of a sheet is there, and the user's. */
const useIsHere = () => {
  const { subjects } = useSession().me;
  return ({ subjectId }: SheetKey): boolean => subjects.some((one) => one.subjectId === subjectId);
};

const GONE =
  'The subject has been deleted, or is no longer one of yours. Nothing is lost: what was typed can be stored once the subject is back.';

const useSheetAddress = ({ setId, testId }: SheetKey): string | undefined => {
  const area = useArea();
  const yearGroup = useStructure().data?.yearGroups.find(({ sets }) => sets.some((one) => one.setId === setId));
  const set = yearGroup?.sets.find((one) => one.setId === setId);
  return set && `${area}/marks${placeQuery(yearGroup, set)}&test=${testId}`;
};

/** Names of classes and tests are not kept on the device. */
const useTitle = ({ setId, testId }: SheetKey): string => {
  const { data } = useStructure();
  const set = data?.yearGroups.flatMap(({ sets }) => sets).find((one) => one.setId === setId);
  const test = data?.tests.find((one) => one.testId === testId);
  return set && test ? ` for ${set.name}, ${test.name}` : '';
};
