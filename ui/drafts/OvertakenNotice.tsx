import type { ReactNode } from 'react';
import { Button } from '../controls/Button.tsx';
import { Notice } from '../feedback/Notice.tsx';
import type { Overtaken } from './overtaken.ts';

type OvertakenActsProps = { readonly overtaken: Pick<Overtaken, 'keepMine' | 'takeTheirs'> };

export const OvertakenActs = ({ overtaken: { keepMine, takeTheirs } }: OvertakenActsProps) => (
  <>
    <Button onClick={keepMine}>Keep mine</Button>
    <Button onClick={takeTheirs}>Take theirs</Button>
  </>
);

type OvertakenNoticeProps = OvertakenActsProps & { readonly title: string; readonly children?: ReactNode };

/** Somebody else has stored something else while one typed. */
export const OvertakenNotice = ({ overtaken, title, children }: OvertakenNoticeProps) => (
  <Notice tone="warn" title={title} actions={<OvertakenActs overtaken={overtaken} />}>
    {children}
  </Notice>
);
