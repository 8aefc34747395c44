import { useEffect, useState } from 'react';
import { Button } from '../../ui/controls/Button.tsx';
import { Card } from '../../ui/frame/Card.tsx';
import styles from './Testing.module.css';

type Finding = { readonly what: string; readonly found: string; readonly good: boolean };

/** Checks this device; the result can be sent to support. */
export const TestingPage = () => {
  const [findings, setFindings] = useState<readonly Finding[]>([]);
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    let wanted = true;
    for (const check of checks) void check().then((found) => wanted && setFindings((before) => [...before, found]));
    return () => {
      wanted = false;
    };
  }, []);
  const text = findings.map(({ what, found, good }) => `${good ? 'ok  ' : 'NO  '} ${what}: ${found}`).join('\n');
  return (
    <Card title="Device check" lead="What Marktrail needs of a browser, and what yours can do. Send this to whoever helps you." wide>
      <dl className={`stack ${styles.findings}`} aria-busy={findings.length === 0}>
        {findings.map(({ what, found, good }) => (
          <div key={what}>
            <dt className="muted">{what}</dt>
            <dd className={good ? 'breaks' : 'breaks failed'}>
              {good ? '✓' : '✗'} {found}
            </dd>
          </div>
        ))}
      </dl>
      {findings.length === 0 && <p role="status">Looking…</p>}
      <Button
        disabled={findings.length === 0}
        onClick={() => {
          void navigator.clipboard.writeText(text).then(() => setCopied(true));
        }}
      >
        {copied ? 'Copied' : 'Copy'}
      </Button>
    </Card>
  );
};

const finding = (what: string, good: boolean, found: string): Finding => ({ what, good, found });

const works = (attempt: () => void): boolean => {
  try {
    attempt();
    return true;
  } catch {
    return false;
  }
};

const checks: readonly (() => Promise<Finding>)[] = [
  async () => finding('Browser', true, navigator.userAgent),
  async () => finding('Cookies', navigator.cookieEnabled, navigator.cookieEnabled ? 'on' : 'off: nobody can log in'),
  async () => {
    const good = works(() => {
      localStorage.setItem('marktrail-testing', '1');
      localStorage.removeItem('marktrail-testing');
    });
    return finding('Storage', good, good ? 'works' : 'refused: what you type is not kept when the connection drops');
  },
  async () => {
    const began = performance.now();
    const good = await fetch('/api/door/site').then(
      (answer) => answer.ok,
      () => false,
    );
    return finding('Server', good, good ? `answers in ${Math.round(performance.now() - began)} ms` : 'cannot be reached');
  },
  async () =>
    finding(
      'Live connection',
      'EventSource' in window,
      'EventSource' in window ? 'supported' : 'not supported: pages do not update by themselves',
    ),
  async () => {
    const devices = await navigator.mediaDevices?.enumerateDevices().catch(() => []);
    const found = devices?.some(({ kind }) => kind === 'videoinput') ?? false;
    return finding('Camera', true, found ? 'there is one' : 'none: type the joining code instead of scanning it');
  },
  async () => finding('Secure connection', isSecureContext, isSecureContext ? 'yes' : 'no: the robot check needs https'),
  async () => finding('Time', true, `${new Date().toLocaleString('en-GB')}, ${Intl.DateTimeFormat().resolvedOptions().timeZone}`),
  async () => finding('Window', true, `${innerWidth} × ${innerHeight} at ${devicePixelRatio}`),
];
