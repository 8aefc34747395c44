import { pictureOf, sizes } from './pictures.ts';
import styles from './Splash.module.css';

type PictureProps = { readonly name: string; readonly shows: string; readonly loaded?: () => void };

/** A screenshot that matches the reader's screen width and colour scheme. Its space is reserved, so that nothing jumps when it loads. */
export const Picture = ({ name, shows, loaded }: PictureProps) => (
  <picture>
    <source media="(max-width: 599px) and (prefers-color-scheme: dark)" srcSet={pictureOf(name, 'narrow', 'dark')} {...sizes.narrow} />
    <source media="(max-width: 599px)" srcSet={pictureOf(name, 'narrow', 'light')} {...sizes.narrow} />
    <source media="(prefers-color-scheme: dark)" srcSet={pictureOf(name, 'wide', 'dark')} {...sizes.wide} />
    <img
      className={styles.picture}
      src={pictureOf(name, 'wide', 'light')}
      {...sizes.wide}
      alt={shows}
      decoding="async"
      draggable={false}
      onLoad={loaded}
    />
  </picture>
);
