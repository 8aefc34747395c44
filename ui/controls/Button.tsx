import type { ButtonHTMLAttributes } from 'react';
import styles from './Button.module.css';

/** primary: the one act of a page or step; quiet: everything beside it; plain: in a line of text or a row. */
type Look = 'primary' | 'quiet' | 'plain';
type ButtonProps = ButtonHTMLAttributes<HTMLButtonElement> & { readonly look?: Look };

export const Button = ({ look = 'quiet', type = 'button', className, ...rest }: ButtonProps) => (
  <button type={type} className={[styles.button, styles[look], className].filter(Boolean).join(' ')} {...rest} />
);

/** Class names for a link that looks like a button. */
export const buttonClass = (look: Look = 'quiet'): string => `${styles.button} ${styles[look]}`;
