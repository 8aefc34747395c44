import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import type { SheetModel } from '../../../staff-ui/marks/sheet/model/useSheet.ts';
import { SheetStatus } from '../../../staff-ui/marks/sheet/SheetStatus.tsx';

test('a sheet says how many cells have several values, leads to the first of them, and that some are to correct', () => {
  const shown = (model: Partial<SheetModel>) =>
    renderToStaticMarkup(
      <SheetStatus
        model={{ wrong: [], contested: [], kind: 'mark', reasonOf: (key: string) => `Not ${key}`, ...model } as unknown as SheetModel}
        report={undefined}
        goTo={() => undefined}
        status="All stored"
      />,
    );
  expect(shown({})).toMatch(/All stored<\/p><\/div>$/);
  const asked = shown({ contested: ['anna', 'ben'] });
  expect(asked).toContain('All stored<span class="sr"> 2 cells with several values.</span>');
  expect(asked).toMatch(/<button[^>]*>2 cells with several values<\/button>/);
  const wrong = shown({ wrong: ['whole'] });
  expect(wrong).toContain('<span class="sr"> 1 mark to correct.</span>');
  expect(wrong).toMatch(/<button[^>]*>1 mark to correct<\/button>/);
});
