import { beforeEach, expect, onTestFailed, test } from 'vitest';
import { openedAnew } from '../support/opened-anew.ts';
import { DemoSchool } from './demo-school.ts';
import { eventsOf, Victim } from './victim.ts';

let victim: Victim;
let school: DemoSchool;

openedAnew(async (atEnd) => {
  victim = await Victim.open();
  atEnd(() => victim.end());
  school = await DemoSchool.signIn(await victim.start('server'));
});
beforeEach(() => onTestFailed(() => console.error(victim.output())));

test('killed as soon as an upload is written, it has it whole; a repeated request completes it once, and it shows', async () => {
  const address = await victim.running('server');
  const upload = school.upload('totals');
  await victim.killAt('written', 'server', () => void school.done(address, upload).catch(() => undefined));
  const again = await victim.start('server');
  await victim.looking(async (query, fold) => {
    const written = await eventsOf(query, upload.commandId);
    expect(written).toHaveLength(1);
    expect((await fold.saves()).get(upload.commandId)?.keys.length).toBe(upload.cells);
    const { position, result } = await school.done(again, upload);
    expect([position]).toEqual(written);
    expect(result).toMatchObject({ stored: upload.cells, unchanged: 0, unmatched: [] });
    expect(await eventsOf(query, upload.commandId)).toEqual(written);
    await school.shown(again, position);
    expect(await fold.differences()).toEqual([]);
  });
});
