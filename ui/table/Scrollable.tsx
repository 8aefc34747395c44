import type { ReactNode } from 'react';

type ScrollableProps = {
  readonly label: string;
  readonly className?: string | undefined;
  readonly hidden?: boolean;
  readonly id?: string;
  readonly children: ReactNode;
};

/** A region that can be reached by Tab, so that the arrow keys scroll it, or the dialog that it fills. */
export const Scrollable = ({ label, children, ...rest }: ScrollableProps) => (
  // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- without it the keyboard cannot scroll
  <div role="region" aria-label={label} tabIndex={0} {...rest}>
    {children}
  </div>
);
