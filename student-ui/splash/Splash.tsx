import { useEffect } from 'react';
import { Link } from 'wouter';
import { buttonClass } from '../../ui/controls/Button.tsx';
import { Logo } from '../../ui/frame/header/Logo.tsx';
import { CookieConsent } from '../../ui/site/CookieConsent.tsx';
import { Footer } from '../../ui/site/Footer.tsx';
import { Carousel } from './Carousel.tsx';
import styles from './Splash.module.css';

/** Introduces Marktrail to visitors without a session. */
export const Splash = () => {
  useEffect(() => {
    document.title = 'Marktrail: assessment results by class and by question';
  }, []);
  return (
    <>
      <header className={`row gap-3 apart ${styles.head}`}>
        <p className={`line gap-3 large ${styles.product}`}>
          <Logo size={36} /> Marktrail
        </p>
        <nav className="row" aria-label="Account">
          <Link className={buttonClass()} to="/code">
            Join with a code
          </Link>
          <Link className={buttonClass()} to="/register">
            Sign Up
          </Link>
          <Link className={buttonClass('primary')} to="/login">
            Log in
          </Link>
        </nav>
      </header>
      <main className={styles.page}>
        <h1>A school’s marks, and the trail of every one of them</h1>
        <p className={`muted large ${styles.lead}`}>
          Assessment results by class and by question, for teachers, subject leaders and students. Free for every school.
        </p>
        <Carousel />
      </main>
      <Footer />
      <CookieConsent />
    </>
  );
};
