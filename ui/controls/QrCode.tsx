import { useEffect, useState } from 'react';

type QrCodeProps = {
  readonly text: string;
  /** Alternative text; the encoded text itself is shown beside the code. */
  readonly label: string;
  readonly className?: string | undefined;
};

/** A QR code drawn in the browser, so that its text is sent nowhere. The generator is loaded when the first one is shown. */
export const QrCode = ({ text, label, className }: QrCodeProps) => {
  const drawn = useQrCode(text);
  if (!drawn) return null;
  // Scanners need a quiet zone of four modules.
  const edge = drawn.size + 8;
  return (
    <svg className={className} viewBox={`-4 -4 ${edge} ${edge}`} role="img" aria-label={label} shapeRendering="crispEdges">
      <rect x={-4} y={-4} width={edge} height={edge} fill="#fff" />
      <path d={drawn.path} fill="#000" />
    </svg>
  );
};

const useQrCode = (text: string) => {
  const [drawn, setDrawn] = useState<{ readonly path: string; readonly size: number }>();
  useEffect(() => {
    let wanted = true;
    void import('qrcode').then(({ create }) => {
      const { modules } = create(text, { errorCorrectionLevel: 'M' });
      if (wanted) setDrawn({ path: pathOf(modules), size: modules.size });
    });
    return () => {
      wanted = false;
    };
  }, [text]);
  return drawn;
};

const pathOf = ({ data, size }: { readonly data: ArrayLike<number | boolean>; readonly size: number }): string =>
  Array.from(data, (dark, at) => (dark ? `M${at % size} ${Math.floor(at / size)}h1v1h-1z` : '')).join('');
