import { END, START, eventTypeFilter, streamNameFilter, type Position } from '@eventstore/db-client';
import { describe, expect, test } from 'vitest';
import { all, event, events, Heard, ids, type Given } from './given.ts';

/** Sections 5 and 14, and B, C and G of the surprises: what a subscription says, and when. */
export const subscribing = (given: () => Given): void => {
  const subscribe = (options: Parameters<Given['client']['subscribeToAll']>[0] = {}) => new Heard(given().client.subscribeToAll(options));

  /** `#0` to `#199`, of which #30, #90 and #150 match; says checkpoints as `CP#30`, or `CP#8/0` where the prepare position is 0. */
  const filtered = async (
    filter: { maxSearchWindow?: number; checkpointInterval?: number },
    fromPosition: Position | typeof START = START,
  ) => {
    const { client } = given();
    const positions = (await all(client.readAll()))
      .filter(({ event: recorded }) => !recorded?.type.startsWith('$'))
      .map(({ event: recorded }) => recorded?.position?.commit ?? 0n);
    const checkpoints: Position[] = [];
    const name = ({ commit, prepare }: Position) =>
      `CP${commit === 0n ? ' 0' : `#${positions.indexOf(commit)}`}${prepare === 0n ? '/0' : ''}`;
    const heard: Heard = subscribe({
      fromPosition,
      filter: eventTypeFilter({
        regex: '^match$',
        ...filter,
        checkpointReached: (_, position) => {
          checkpoints.push(position);
          heard.say(name(position));
        },
      }),
    });
    return { heard, checkpoints };
  };

  const twoHundred = async () => {
    const isMatch = (n: number) => [30, 90, 150].includes(n);
    await given().client.appendToStream(
      'a',
      ids(200).map((id, n) => event(n, id, isMatch(n) ? 'match' : 'other')),
    );
  };

  test('says that it is confirmed, what is there, that it has caught up, and what comes', async () => {
    const { client } = given();
    await client.appendToStream('a', events(ids(2)));
    const heard = subscribe();
    await heard.until('caughtUp');
    await client.appendToStream('a', event(2));
    expect(await heard.until('EV#2')).toEqual(['confirmation', 'EV#$metadata', 'EV#0', 'EV#1', 'caughtUp', 'EV#2']);
    await heard.stop();
  });

  test('begins behind the position that it names', async () => {
    const { client } = given();
    await client.appendToStream('a', events(ids(3)));
    const { position } = (await all(client.readStream('a')))[1]?.event ?? {};
    for (const fromPosition of [position, { commit: position?.commit ?? 0n, prepare: 0n }]) {
      const heard = subscribe({ fromPosition: fromPosition ?? START });
      expect(await heard.until('caughtUp')).toEqual(['confirmation', 'EV#2', 'caughtUp']);
      await heard.stop();
    }
  });

  test('past the end it waits there, and delivers what is appended below', async () => {
    const heard = subscribe({ fromPosition: { commit: 1_000_000n, prepare: 1_000_000n } });
    await heard.until('caughtUp');
    await given().client.appendToStream('a', event(0));
    expect(await heard.until('EV#0')).toEqual(['confirmation', 'caughtUp', 'EV#0']);
    await heard.stop();
  });

  test('where no record begins it fails without a confirmation', async () => {
    const fromPosition = { commit: 549n, prepare: 549n };
    const beyond = subscribe({ fromPosition });
    // Where no event follows it is no error.
    expect(await beyond.until('caughtUp')).toEqual(['confirmation', 'caughtUp']);
    await beyond.stop();
    await given().client.appendToStream('a', event(0));
    const heard = subscribe({ fromPosition });
    expect(await heard.until('error')).toEqual(['error']);
    expect(heard.error).toMatchObject({ code: 2, message: '2 UNKNOWN: Exception was thrown by handler.' });
  });

  describe('checkpoints', () => {
    test.each([
      [
        'window 10, interval 2',
        { maxSearchWindow: 10, checkpointInterval: 2 },
        'CP#8/0 EV#30 CP#30 CP#48/0 CP#68/0 EV#90 CP#90 CP#108/0 CP#128/0 EV#150 CP#150 CP#168/0 CP#188/0',
      ],
      ['as it comes', {}, 'CP 0/0 EV#30 CP#30 EV#90 CP#90 CP#94/0 EV#150 CP#150 CP#158/0'],
      ['interval 1,000', { checkpointInterval: 1_000 }, 'EV#30 EV#90 EV#150'],
    ])('while it catches up: %s', async (_, filter, said) => {
      await twoHundred();
      const { heard } = await filtered(filter);
      const wanted = said
        .replaceAll('CP 0', 'CP~0')
        .split(' ')
        .map((word) => word.replace('~', ' '));
      // The client says "caught up" while it still holds events, and checkpoints in their turn.
      await heard.until('caughtUp');
      for (const word of wanted) await heard.until(word);
      const words = heard.said.filter((word) => word.startsWith('CP') || word.startsWith('EV'));
      expect(words.toSorted()).toEqual(wanted.toSorted());
      expect(words.filter((word) => word.startsWith('CP')).join(' ')).toBe(said.replaceAll(/ ?EV#\d+/g, '').trim());
      await heard.stop();
    });

    test('on a fresh store there are none', async () => {
      const { heard } = await filtered({});
      expect(await heard.until('caughtUp')).toEqual(['confirmation', 'caughtUp']);
      await heard.stop();
    });

    test('each is a place to go on from, without loss and without a double', async () => {
      await twoHundred();
      const { heard, checkpoints } = await filtered({ maxSearchWindow: 10, checkpointInterval: 1 });
      await heard.until('caughtUp');
      await heard.stop();
      const matches = (await all(given().client.readStream('a'))).flatMap(({ event: recorded }) =>
        recorded?.type === 'match' ? [{ word: `EV#${recorded.revision}`, at: recorded.position?.commit ?? 0n }] : [],
      );
      for (const position of checkpoints) {
        const { heard: rest } = await filtered({ checkpointInterval: 1_000 }, position);
        const wanted = matches.filter(({ at }) => at > position.commit).map(({ word }) => word);
        await rest.until('caughtUp');
        for (const word of wanted) await rest.until(word);
        expect(rest.said.filter((word) => word.startsWith('EV'))).toEqual(wanted);
        await rest.stop();
      }
    });

    test('live, one for every so many events seen, matching or not', async () => {
      const { client } = given();
      const { heard, checkpoints } = await filtered({ maxSearchWindow: 2, checkpointInterval: 2 });
      await heard.until('caughtUp');
      const before = checkpoints.length;
      await client.appendToStream('a', [event(0), event(1), event(2), event(3, undefined, 'match'), event(4, undefined, 'match')]);
      await heard.until('EV#4');
      // What was examined while it caught up counts too: the first comes after two.
      const at = (await all(client.readStream('a')))[1]?.event?.position;
      expect(checkpoints.slice(before)).toEqual([at]);
      expect(heard.said.indexOf('EV#3')).toBeGreaterThan(-1);
      await heard.stop();
    });
  });

  test('a filter by the names of streams is exact', async () => {
    const { client } = given();
    for (const [n, stream] of ['set-1', 'sets', 'subject-1', 'set-2'].entries()) await client.appendToStream(stream, event(n));
    const heard = subscribe({ filter: streamNameFilter({ prefixes: ['set-'] }) });
    await heard.until('caughtUp');
    const said = await heard.until('EV#3');
    expect(said.filter((word) => word.startsWith('EV'))).toEqual(['EV#0', 'EV#3']);
    await heard.stop();
  });

  describe('a live one that is slower than the writes', () => {
    const tooSlow = {
      type: 'timeout',
      code: 10,
      message: '10 ABORTED: Operation timed out: Consumer too slow to handle event while live. Client resubscription required.',
    };

    test('is ended by an append of 500 events, and hears no more', async () => {
      const heard = subscribe();
      await heard.until('caughtUp');
      await given().client.appendToStream('a', events(ids(500)));
      await heard.until('error');
      expect(heard.error).toMatchObject(tooSlow);
      expect(heard.said).not.toContain('end');
      expect(heard.said.filter((word) => word.startsWith('EV')).length).toBeLessThan(500);
    });

    test('bears an append of 100, and a pause while 300 events come', async () => {
      const { client } = given();
      const heard = subscribe();
      await heard.until('caughtUp');
      await client.appendToStream('a', events(ids(100)));
      await heard.until('EV#99');
      heard.subscription.pause();
      for (let n = 100; n < 400; n++) await client.appendToStream('a', event(n));
      heard.subscription.resume();
      await heard.until('EV#399');
      expect(heard.error).toBeUndefined();
      await heard.stop();
    });

    test('is ended when 5,000 come while it pauses', async () => {
      const { client } = given();
      const heard = subscribe();
      await heard.until('caughtUp');
      heard.subscription.pause();
      for (let n = 0; n < 50; n++) await client.appendToStream('a', events(ids(100)));
      heard.subscription.resume();
      await heard.until('error');
      expect(heard.error).toMatchObject(tooSlow);
    });
  });

  test('a pause while it catches up does no harm', async () => {
    const { client } = given();
    await client.appendToStream('a', events(ids(2_000)));
    const heard = subscribe();
    await heard.until('EV#100');
    heard.subscription.pause();
    await client.appendToStream('a', event(2_000));
    heard.subscription.resume();
    await heard.until('EV#2000');
    expect(heard.error).toBeUndefined();
    await heard.stop();
  });

  test('about 100 calls run at once over a connection; further ones wait without a word', async () => {
    const { client } = given();
    const many = Array.from({ length: 103 }, () => subscribe({ fromPosition: END }));
    const live = () => many.filter(({ said }) => said.includes('caughtUp'));
    await Promise.all(many.slice(0, 99).map((heard) => heard.until('caughtUp')));
    let isAnswered = false;
    const waiting = client.appendToStream('a', event(0)).then(() => (isAnswered = true));
    await expect.poll(() => live().length).toBe(100);
    expect({ live: live().length, isAnswered }).toEqual({ live: 100, isAnswered: false });
    await Promise.all(
      live()
        .slice(0, 10)
        .map((heard) => heard.stop()),
    );
    await waiting;
    await Promise.all(many.map((heard) => heard.until('caughtUp')));
  });
};
