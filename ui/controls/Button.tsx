import type { ButtonHTMLAttributes, RefObject } from 'react';
import { useLayoutEffect, useRef } from 'react';
import styles from './Button.module.css';

/**
 * primary: the one main action of a page or step; danger: the same where it takes much away; quiet: all others; plain: within text or a row;
 * remove: the same where it takes something away.
 */
type Look = 'primary' | 'danger' | 'quiet' | 'plain' | 'remove';
type ButtonProps = ButtonHTMLAttributes<HTMLButtonElement> & { readonly look?: Look };

export const Button = ({ look = 'quiet', type = 'button', className, ...rest }: ButtonProps) => (
  <button
    ref={useKeptFocus(rest.disabled === true)}
    type={type}
    className={[styles.button, styles[look], className].filter(Boolean).join(' ')}
    {...rest}
  />
);

/**
 * A button that is disabled during its action loses the focus to the body. This returns it once the button is enabled again, unless the
 * user has moved on.
 */
const useKeptFocus = (disabled: boolean): RefObject<HTMLButtonElement | null> => {
  const button = useRef<HTMLButtonElement>(null);
  const had = useRef(false);
  useLayoutEffect(() => {
    if (!disabled && had.current && document.activeElement === document.body) button.current?.focus({ preventScroll: true });
    had.current = disabled && document.activeElement === button.current;
  }, [disabled]);
  return button;
};

/** Class names for a link that looks like a button. */
export const buttonClass = (look: Look = 'quiet'): string => `${styles.button} ${styles[look]}`;
