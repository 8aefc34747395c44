import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { EvidenceMark, EvidenceNote, evidenceOf } from '../../../student-ui/analysis/Evidence.tsx';

const shown = (...weak: boolean[]) => {
  const evidence = evidenceOf(weak);
  return renderToStaticMarkup(
    <>
      <EvidenceNote evidence={evidence} />
      <EvidenceMark evidence={evidence} />
    </>,
  );
};

test('little evidence is said once where all rest on it, and marked only where some do', () => {
  expect(shown(true, true)).toBe('There is little evidence yet: each rests on so few marks that luck may be the reason.');
  expect(shown(true, false)).toMatch(/Little evidence: .*, little evidence/u);
  expect(shown(false, false) + shown()).toBe('');
});
