import { Button } from '../../../ui/controls/Button.tsx';
import { Popover } from '../../../ui/controls/Popover.tsx';
import { draftStatus } from '../../../ui/drafts/draft-status.ts';
import { Notice } from '../../../ui/feedback/Notice.tsx';
import { counted } from '../../format.ts';
import type { Report } from '../grid/report.ts';
import styles from './Sheet.module.css';
import type { SheetModel } from './model/useSheet.ts';

type SheetStatusProps = {
  readonly model: SheetModel;
  readonly report: Report | undefined;
  readonly goTo: (key: string | undefined) => void;
  readonly status: string;
};

/** What has become of what was typed, in one line; announced politely. */
export const SheetStatus = ({ model, report, goTo, status: now }: SheetStatusProps) => {
  const { wrong, contested, othersChanges, kind, reasonOf } = model;
  const noun = kind === 'total' ? 'total' : 'mark';
  return (
    <div className={`row ${styles.status}`}>
      <p role="status" data-tone={report?.isBad ? 'warn' : undefined}>
        {report ? report.text : (othersChanges ?? now)}
        {wrong.length > 0 && <span className="sr"> {counted(wrong.length, noun)} to correct.</span>}
        {contested.length > 0 && <span className="sr"> {counted(contested.length, 'cell')} with several values.</span>}
      </p>
      {(report ?? othersChanges) && <p className="muted">{now}</p>}
      {wrong.length > 0 && (
        <Popover label={`${counted(wrong.length, noun)} to correct`} className={styles.bad}>
          <ul className={styles.reasons}>
            {wrong.map((key) => (
              <li key={key}>
                <Button
                  look="plain"
                  onClick={(event) => {
                    event.currentTarget.closest<HTMLElement>('[popover]')?.hidePopover();
                    goTo(key);
                  }}
                >
                  {reasonOf(key)}
                </Button>
              </li>
            ))}
          </ul>
        </Popover>
      )}
      {contested.length > 0 && (
        <Button look="plain" onClick={() => goTo(contested[0])}>
          {counted(contested.length, 'cell')} with several values
        </Button>
      )}
    </div>
  );
};

/** What was typed into cells that are no longer there. It stays on the device, because a question or a student may come back. */
export const Homeless = ({ model: { homeless, discard, kind } }: { readonly model: SheetModel }) => {
  if (homeless.length === 0) return null;
  const reasons = [...new Set(homeless.flatMap(({ reason }) => reason ?? []))];
  const marks = homeless.slice(0, 5).map(({ name, value }) => `${name ?? 'A student who has left this class'}: ${value || 'empty'}`);
  return (
    <Notice
      tone="warn"
      title={`${counted(homeless.length, kind === 'total' ? 'total' : 'mark')} that you typed ${homeless.length === 1 ? 'has' : 'have'} no cell here any more.`}
      actions={<Button onClick={() => discard(homeless.map(({ key }) => key))}>Discard</Button>}
    >
      <p>
        {[...marks, ...(homeless.length > marks.length ? [`${homeless.length - marks.length} more`] : [])].join('; ')}. {reasons.join(' ')}
      </p>
    </Notice>
  );
};

/** The line for marks, which are stored as one types. */
export const sheetStatus = ({ waiting, wrong, ...model }: SheetModel): string =>
  draftStatus({ ...model, waiting: waiting.length - wrong.length });
