import { isJoinCode } from '#api/contract/auth-messages';
import QrScanner from 'qr-scanner';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { Button } from '../../../ui/controls/Button.tsx';
import { Notice } from '../../../ui/feedback/Notice.tsx';
import styles from './Join.module.css';

type ScannerProps = { readonly found: (code: string) => void; readonly stop: () => void };

/** Scans a joining code with the camera. The images stay on the device. */
export const Scanner = ({ found, stop }: ScannerProps) => {
  const video = useRef<HTMLVideoElement>(null);
  const frame = useRef<HTMLDivElement>(null);
  const [failure, setFailure] = useState<string>();
  const onFound = useEffectEvent(found);
  useEffect(() => {
    if (!video.current || !frame.current) return;
    const scanner = new QrScanner(
      video.current,
      ({ data }) => {
        const code = codeIn(data);
        if (code === undefined) return;
        scanner.stop();
        onFound(code);
      },
      // It shows and moves our frame. The one that it would draw has styles in its text, which the policy refuses.
      { returnDetailedScanResult: true, highlightScanRegion: true, overlay: frame.current },
    );
    scanner.start().catch(() => setFailure('The camera cannot be used. Allow it for this page, or type the code.'));
    return () => scanner.destroy();
  }, []);
  if (failure) return <Notice tone="warn" title={failure} />;
  return (
    <div>
      <div className={styles.camera}>
        {/* oxlint-disable-next-line jsx-a11y/media-has-caption -- the camera's own picture */}
        <video ref={video} className={styles.video} aria-label="Picture of the camera" />
        <div ref={frame} className={styles.frame} />
      </div>
      <Button onClick={stop}>Stop scanning</Button>
    </div>
  );
};

/** A link with `?code=`, or the bare code. */
const codeIn = (text: string): string | undefined => {
  const code = /[?&]code=([A-Za-z0-9]{7})(?:&|$)/u.exec(text)?.[1] ?? text.trim();
  return isJoinCode(code) ? code : undefined;
};
