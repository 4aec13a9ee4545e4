import { describe, expect, test } from 'vitest';
import { settle } from './fake-clock.ts';
import { createTestPlayer } from './fake-player.ts';
import { createFakeQueueServer } from './fake-queue-server.ts';
import { createTrack, createTracks, idsOf } from './fake-tracks.ts';
import type { Notice } from './notices.ts';

type Shared = { account: ReturnType<typeof createFakeQueueServer>; kept?: Map<string, string>; listener?: string };

/** One device of an account. `kept` is the browser's storage, so that the same one again is a reload. */
function openPage({ account, kept = new Map(), listener = 'u' }: Shared) {
  const online = new Set<() => void>();
  const writes: string[] = [];
  const parts = createTestPlayer({
    queueServer: account.server,
    storage: {
      get: (key) => kept.get(key) ?? null,
      set(key, value) {
        writes.push(key);
        kept.set(key, value);
      },
    },
    network: {
      subscribe(run) {
        online.add(run);
        return () => void online.delete(run);
      },
    },
  });
  const { player, clock } = parts;
  const notices: Notice[] = [];
  player.onNotice((notice) => notices.push(notice));
  player.setPreview(createTrack('p'));
  player.setListener({ id: listener });
  return {
    ...parts,
    kept,
    writes,
    online,
    notices,
    told: () => notices.splice(0).map((notice) => notice.kind),
    list: () => idsOf(player.getSnapshot().queue.list),
    /** Time passes and answers arrive. */
    async wait(milliseconds = 1000) {
      await settle();
      clock.advance(milliseconds);
      await settle();
    },
    comeOnline: () => [...online].forEach((run) => run()),
  };
}

async function openWith(ids: string, shared?: Shared) {
  const account = shared?.account ?? createFakeQueueServer();
  const page = openPage({ ...shared, account });
  await page.wait();
  page.player.playList(createTracks(ids), 0);
  page.media.receiveFile(300);
  await page.wait();
  return { account, ...page };
}

describe('keeping', () => {
  test('the queue is kept a second after the first change, however many follow', async () => {
    const { player, clock, writes } = await openWith('abc');
    writes.length = 0;
    const queueWrites = () => writes.filter((key) => key === 'sotto_queue').length;
    for (const id of 'uvwxyz') {
      player.addToQueue(createTrack(id));
      clock.advance(100);
    }
    expect(queueWrites()).toBe(0);
    clock.advance(400);
    expect(queueWrites()).toBe(1);
  });

  test('the place is kept once a second at most while it plays', async () => {
    const { hear, writes, wait } = await openWith('abc');
    await wait();
    writes.length = 0;
    hear(10);
    expect(writes.filter((key) => key === 'sotto_queue_place')).toHaveLength(10);
    expect(writes).not.toContain('sotto_queue');
  });

  test('what changed in the last second is not lost when the page goes', async () => {
    const { player, hear, kept, account } = await openWith('abc');
    player.addToQueue(createTrack('x'));
    hear(0.75);
    player.flush();
    account.state.isDown = true;
    const again = openPage({ account, kept });
    expect(again.list()).toBe('axbc');
    expect(again.player.getPosition()).toBe(0.75);
  });

  test('a reload brings the queue back at the same second, and does not start it', async () => {
    const { account, kept, hear, player } = await openWith('abc');
    hear(42);
    player.flush();
    const again = openPage({ account, kept });
    expect(again.player.getSnapshot()).toMatchObject({ status: 'idle', current: { id: 'a' } });
    expect(again.player.getPosition()).toBe(42);
    await again.wait();
    expect(again.list()).toBe('abc');
    again.player.play();
    again.media.receiveFile(300);
    expect(again.media.seeks).toEqual([42]);
    expect(again.told()).toEqual([]);
  });

  test('also without an answer of the server', async () => {
    const { account, kept, player } = await openWith('abc');
    player.flush();
    account.state.isDown = true;
    expect(openPage({ account, kept }).list()).toBe('abc');
  });

  test('what another listener left here is not shown, nor sent', async () => {
    const { kept, player } = await openWith('abc');
    player.flush();
    const other = createFakeQueueServer();
    const page = openPage({ account: other, kept, listener: 'v' });
    await page.wait(5000);
    expect(page.list()).toBe('p');
    expect(other.state.puts).toEqual([]);
  });

  test('logging out stops, leaves nothing behind, and the preview stands again', async () => {
    const { player, media, kept, list, wait, account } = await openWith('abc');
    player.flush();
    player.setListener(null);
    expect(list()).toBe('p');
    expect(media.paused).toBe(true);
    expect(JSON.stringify([...kept])).not.toContain('Audio a');
    await wait(5000);
    player.flush();
    expect(account.ids()).toBe('abc');
    expect(JSON.stringify([...kept])).not.toContain('Audio');
  });
});

describe('sending', () => {
  test('changes go out a second after the first of them, each following on the version before', async () => {
    const { account, player, wait } = await openWith('abc');
    expect(account.state.puts.map(({ ifMatch }) => ifMatch)).toEqual([0]);
    player.addToQueue(createTrack('x'));
    player.addToQueue(createTrack('y'));
    await wait(999);
    expect(account.state.puts).toHaveLength(1);
    await wait(1);
    expect(account.state.puts).toHaveLength(2);
    expect(account.state.puts[1]?.ifMatch).toBe(1);
    expect(account.ids()).toBe('axybc');
  });

  test('the place alone is no reason to send', async () => {
    const { account, hear, wait } = await openWith('abc');
    hear(60);
    await wait();
    expect(account.state.puts).toHaveLength(1);
  });

  test('the head’s place goes along as a fraction', async () => {
    const { account, hear, player, wait } = await openWith('abc');
    hear(30);
    player.addToQueue(createTrack('x'));
    await wait();
    expect(account.saved().position).toBeCloseTo(0.1, 2);
  });

  test('on leaving, what is not sent yet goes at once', async () => {
    const { account, player } = await openWith('abc');
    player.addToQueue(createTrack('x'));
    player.flush();
    expect(account.state.puts.at(-1)).toMatchObject({ isLeaving: true });
    expect(account.ids()).toBe('axbc');
  });

  test('before a log-out, what changed while a save was under way arrives as well', async () => {
    const { account, player } = await openWith('abc');
    const { put } = account.server;
    const later = Promise.withResolvers<void>();
    account.server.put = async (...args) => {
      await later.promise;
      return put(...args);
    };
    player.addToQueue(createTrack('x'));
    player.flush();
    player.addToQueue(createTrack('y'));
    let hasArrived = false;
    const arrived = player.settle().then(() => (hasArrived = true));
    await settle();
    expect(hasArrived).toBe(false);
    later.resolve();
    await arrived;
    expect(account.ids()).toBe('axybc');
  });

  test('while the server is away it is asked again, ever more seldom, and at once when the machine is online', async () => {
    const { account, player, wait, comeOnline, online } = await openWith('abc');
    account.state.isDown = true;
    player.addToQueue(createTrack('x'));
    await wait();
    await wait(1000);
    await wait(2000);
    expect(account.state.puts).toHaveLength(4);
    await wait(3999);
    expect(account.state.puts).toHaveLength(4);
    account.state.isDown = false;
    comeOnline();
    await settle();
    expect(account.ids()).toBe('axbc');
    expect(online.size).toBe(0);
  });

  test('what could not be sent before a reload is sent after it', async () => {
    const { account, player, kept, wait } = await openWith('abc');
    account.state.isDown = true;
    player.addToQueue(createTrack('x'));
    await wait();
    player.flush();
    account.state.isDown = false;
    const again = openPage({ account, kept });
    await again.wait();
    expect(account.ids()).toBe('axbc');
    expect(again.told()).toEqual([]);
  });

  test('a save whose answer was lost is no other device’s', async () => {
    const { account, player, wait, told, list } = await openWith('abc');
    account.state.losesAnswer = true;
    player.addToQueue(createTrack('x'));
    await wait();
    player.addToQueue(createTrack('y'));
    await wait(1000);
    await wait(1000);
    expect(told()).toEqual([]);
    expect(list()).toBe('axybc');
    expect(account.ids()).toBe('axybc');
  });

  test('what the server refuses is not sent for ever', async () => {
    const { account, player, wait } = await openWith('abc');
    const put = account.server.put;
    account.server.put = async (...args) => {
      await put(...args);
      return { ok: false, reason: 'refused' };
    };
    player.addToQueue(createTrack('x'));
    await wait();
    const { length } = account.state.puts;
    for (let minute = 0; minute < 5; minute += 1) await wait(60_000);
    expect(account.state.puts).toHaveLength(length);
  });
});

describe('two devices', () => {
  test('the other one shows the queue of the first, where it stands', async () => {
    const { account, hear, player } = await openWith('abc');
    hear(30);
    player.flush();
    player.addToQueue(createTrack('x'));
    player.flush();
    const other = openPage({ account });
    await other.wait();
    expect(other.list()).toBe('axbc');
    expect(other.player.getPosition()).toBeCloseTo(30, 0);
    expect(other.player.getSnapshot().status).toBe('idle');
    expect(other.told()).toEqual([]);
    expect(account.state.puts).toHaveLength(2);
  });

  test('the older one takes the newer queue and is told; nothing is overwritten', async () => {
    const first = await openWith('abc');
    first.player.pause();
    const other = openPage({ account: first.account });
    await other.wait();
    other.player.addToQueue(createTrack('x'));
    await other.wait();
    first.player.addToQueue(createTrack('y'));
    await first.wait();
    expect(first.list()).toBe('axbc');
    expect(first.told()).toEqual(['queue-on-other-device-newer']);
    expect(first.account.ids()).toBe('axbc');
    first.player.addToQueue(createTrack('z'));
    await first.wait();
    expect(first.account.ids()).toBe('axzbc');
  });

  test('what plays on the older one plays on, and the newer queue comes after it', async () => {
    const first = await openWith('abc');
    first.hear(20);
    const other = openPage({ account: first.account });
    await other.wait();
    other.player.playList(createTracks('xyz'), 0);
    await other.wait();
    first.player.addToQueue(createTrack('w'));
    await first.wait();
    expect(first.told()).toEqual(['queue-on-other-device-newer']);
    expect(first.list()).toBe('axyz');
    expect(first.player.getSnapshot().status).toBe('playing');
    expect(first.media.files).toHaveLength(1);
    expect(first.player.getPosition()).toBe(20);
    first.hear(5);
    await first.wait(5000);
    // Nobody asked this device to save that.
    expect(first.account.ids()).toBe('xyz');
    first.media.reachEnd();
    await first.wait();
    expect(first.account.ids()).toBe('xyz');
    expect(first.account.version()).toBe(3);
  });

  test('a paused one that is looked at again shows what the other did, and says so', async () => {
    const first = await openWith('abc');
    first.player.pause();
    const other = openPage({ account: first.account });
    await other.wait();
    other.player.playList(createTracks('xyz'), 1);
    await other.wait();
    first.player.pageShown();
    await first.wait();
    expect(first.list()).toBe('yzx');
    expect(first.player.getSnapshot().status).toBe('idle');
    expect(first.told()).toEqual(['queue-on-other-device-newer']);
    first.player.pageShown();
    await first.wait();
    expect(first.told()).toEqual([]);
  });

  test('a tab of the same browser is no other device, but what is lost there is told', async () => {
    const first = await openWith('abc');
    first.player.pause();
    const tab = openPage({ account: first.account, kept: first.kept });
    await tab.wait();
    tab.player.playList(createTracks('xyz'), 0);
    await tab.wait();
    await tab.wait();
    first.player.pageShown();
    await first.wait();
    expect(first.list()).toBe('xyz');
    expect(first.told()).toEqual([]);
    tab.player.next();
    await tab.wait();
    await tab.wait();
    first.player.addToQueue(createTrack('w'));
    await first.wait();
    expect(first.list()).toBe('yz');
    expect(first.told()).toEqual(['queue-on-other-device-newer']);
  });

  test('focus and visibility together ask once', async () => {
    const { player, account, wait } = await openWith('abc');
    const { gets } = account.state;
    await wait(2000);
    player.pageShown();
    player.pageShown();
    await wait(10);
    player.pageShown();
    expect(account.state.gets).toBe(gets + 1);
  });

  test('after a reload the newer queue counts, and only who loses changes is told', async () => {
    const first = await openWith('abc');
    first.player.flush();
    const other = openPage({ account: first.account });
    await other.wait();
    other.player.clearQueue();
    await other.wait();
    const reloaded = openPage({ account: first.account, kept: new Map(first.kept) });
    await reloaded.wait();
    expect(reloaded.list()).toBe('a');
    expect(reloaded.told()).toEqual([]);
    first.account.state.isDown = true;
    first.player.addToQueue(createTrack('x'));
    await first.wait();
    first.player.flush();
    first.account.state.isDown = false;
    const unsent = openPage({ account: first.account, kept: first.kept });
    await unsent.wait();
    expect(unsent.list()).toBe('a');
    expect(unsent.told()).toEqual(['queue-on-other-device-newer']);
  });

  test('audios that are gone are left out, the listener is told how many, once', async () => {
    const first = await openWith('abcd');
    first.player.flush();
    first.account.gone.add('b').add('c');
    const other = openPage({ account: first.account });
    await other.wait();
    expect(other.list()).toBe('ad');
    expect(other.notices).toEqual([{ kind: 'dropped-from-queue', count: 2 }]);
    await other.wait();
    expect(first.account.ids()).toBe('ad');
    const third = openPage({ account: first.account });
    await third.wait();
    expect(third.notices).toEqual([]);
  });
});

describe('logging in', () => {
  test('a list that was started just before wins over the saved one', async () => {
    const { account } = await openWith('abc');
    const page = createTestPlayer({ queueServer: account.server });
    page.player.setListener(null);
    page.player.playList(createTracks('xyz'), 0);
    page.media.receiveFile(300);
    page.player.setListener({ id: 'u' });
    await settle();
    page.clock.advance(1000);
    await settle();
    expect(idsOf(page.player.getSnapshot().queue.list)).toBe('xyz');
    expect(page.player.getSnapshot().status).toBe('playing');
    expect(account.ids()).toBe('xyz');
  });

  test('so does one that is started before the server has answered', async () => {
    const { account } = await openWith('abc');
    const page = openPage({ account });
    page.player.playList(createTracks('xyz'), 0);
    await page.wait();
    expect(page.list()).toBe('xyz');
    expect(account.ids()).toBe('xyz');
  });

  test('an audio that is added before the server has answered goes into the saved queue', async () => {
    const { account } = await openWith('abc');
    const page = openPage({ account });
    page.player.addToQueue(createTrack('x'));
    page.player.addToQueue(createTrack('y'));
    await page.wait();
    expect(page.list()).toBe('axybc');
    await page.wait();
    expect(account.ids()).toBe('axybc');
  });

  test('the preview that is being heard plays on, and the saved queue comes after it', async () => {
    const { account } = await openWith('abc');
    const page = createTestPlayer({ queueServer: account.server });
    page.player.setPreview(createTrack('p'));
    page.player.setListener(null);
    page.player.play();
    page.media.receiveFile(60);
    page.hear(3);
    page.player.setListener({ id: 'u' });
    await settle();
    expect(idsOf(page.player.getSnapshot().queue.list)).toBe('pabc');
    expect(page.player.getSnapshot().status).toBe('playing');
    page.player.next();
    expect(page.player.getSnapshot().queue).toMatchObject({ list: [{ id: 'a' }, {}, {}], played: [] });
  });

  test('with nothing saved, what stands here is saved', async () => {
    const account = createFakeQueueServer();
    const page = await openWith('abc', { account });
    expect(page.account.ids()).toBe('abc');
  });

  test('the untouched preview is never saved', async () => {
    const account = createFakeQueueServer();
    const page = openPage({ account });
    await page.wait(5000);
    page.player.flush();
    await settle();
    expect(page.list()).toBe('p');
    expect(account.state.puts).toEqual([]);
  });

  test('an answer for the listener before is about nothing', async () => {
    const { account } = await openWith('abc');
    const page = openPage({ account });
    page.player.setListener(null);
    await page.wait();
    expect(page.list()).toBe('p');
  });
});
