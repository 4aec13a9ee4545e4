import { describe, expect, test } from 'vitest';
import { createFakeClock, settle } from '#test/support/player/fake-clock.ts';
import { createTestPlayer, lazyPartsOf } from '#test/support/player/fake-player.ts';
import { createFakeQueueServer } from '#test/support/player/fake-queue-server.ts';
import { createTrack, createTracks, idsOf } from '#test/support/player/fake-tracks.ts';
import { createLazy } from '../lazy.ts';
import type { Notice } from '../notices.ts';

type Shared = {
  account: ReturnType<typeof createFakeQueueServer>;
  kept?: Map<string, string>;
  listener?: string;
  /** Id of the saved queue's head that came with the page. */
  head?: string;
};

/** The player's late code, which arrives when it is told to, and a page that waits for it. */
function openWithLateCode(account: Shared['account'], kept = new Map<string, string>()) {
  const storage = {
    get: (key: string) => kept.get(key) ?? null,
    set: (key: string, value: string) => void kept.set(key, value),
  };
  const { promise, resolve } = Promise.withResolvers<ReturnType<typeof lazyPartsOf>>();
  const parts = createLazy({ load: () => promise, clock: createFakeClock(), network: { subscribe: () => () => {} } });
  const page = createTestPlayer({ parts, storage });
  return {
    ...page,
    list: () => idsOf(page.player.getSnapshot().queue.list),
    async arrive() {
      resolve(lazyPartsOf({ queueServer: account.server, storage }));
      await settle();
      page.clock.advance(1000);
      await settle();
    },
  };
}

/** One device of an account. `kept` is the browser's storage; passing the same one again simulates a reload. */
function openPage({ account, kept = new Map(), listener = 'u', head }: Shared) {
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
  if (head !== undefined) player.awaitQueue(createTrack(head), 60);
  player.setListener({ id: listener });
  return {
    ...parts,
    kept,
    writes,
    online,
    notices,
    takeNotices: () => notices.splice(0).map((notice) => notice.kind),
    list: () => idsOf(player.getSnapshot().queue.list),
    /** Advances the time and delivers answers. */
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
  test('the queue is stored one second after the first change, however many follow', async () => {
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

  test('the place is stored at most once a second while playing', async () => {
    const { hear, writes, wait, player } = await openWith('abc');
    await wait();
    writes.length = 0;
    hear(10);
    expect(writes.filter((key) => key === 'sotto_queue_place')).toHaveLength(10);
    // A page that is left stores what has changed only.
    player.flush();
    expect(writes).not.toContain('sotto_queue');
  });

  test('audios are stored with the change that adds them, before the queue: encrypting takes longer than leaving', async () => {
    const { player, account, kept, wait } = await openWith('abc');
    const stored = () => [...kept.values()].join();
    player.addToQueue(createTrack('x'));
    expect(stored()).toContain('"id":"x","slug"');
    const other = openPage({ account });
    await other.wait();
    other.player.addToQueue(createTrack('y'));
    await other.wait();
    player.pageShown();
    await settle();
    expect(stored()).toContain('"id":"y","slug"');
    await wait();
  });

  test('a change in the last second survives closing the page', async () => {
    const { player, hear, kept, account } = await openWith('abc');
    player.addToQueue(createTrack('x'));
    hear(0.75);
    player.flush();
    account.state.isDown = true;
    const again = openPage({ account, kept });
    expect(again.list()).toBe('axbc');
    expect(again.player.getPosition()).toBe(0.75);
  });

  test('a reload restores the queue at the same second without starting it', async () => {
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
    expect(again.takeNotices()).toEqual([]);
  });

  test('a reload needs no answer of the server', async () => {
    const { account, kept, player } = await openWith('abc');
    player.flush();
    account.state.isDown = true;
    expect(openPage({ account, kept }).list()).toBe('abc');
  });

  test('the stored queue of another listener is neither shown nor sent', async () => {
    const { kept, player } = await openWith('abc');
    player.flush();
    const other = createFakeQueueServer();
    const page = openPage({ account: other, kept, listener: 'v' });
    await page.wait(5000);
    expect(page.list()).toBe('p');
    expect(other.state.puts).toEqual([]);
  });

  test('logging out stops, deletes the stored queue, and shows the preview again', async () => {
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
  test('changes are sent one second after the first, each based on the version before', async () => {
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

  test('a changed place alone is not sent', async () => {
    const { account, hear, wait } = await openWith('abc');
    hear(60);
    await wait();
    expect(account.state.puts).toHaveLength(1);
  });

  test('the head’s place is sent as a fraction', async () => {
    const { account, hear, player, wait } = await openWith('abc');
    hear(30);
    player.addToQueue(createTrack('x'));
    await wait();
    expect(account.saved().position).toBeCloseTo(0.1, 2);
  });

  test('leaving the page sends unsent changes at once', async () => {
    const { account, player } = await openWith('abc');
    player.addToQueue(createTrack('x'));
    player.flush();
    expect(account.state.puts.at(-1)).toMatchObject({ isLeaving: true });
    expect(account.ids()).toBe('axbc');
  });

  test('before a log-out, changes made during a running save arrive as well', async () => {
    const { account, player } = await openWith('abc');
    const { put } = account.server;
    const answers = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let asked = 0;
    account.server.put = async (...args) => {
      await answers[(asked += 1) - 1]?.promise;
      return put(...args);
    };
    player.addToQueue(createTrack('x'));
    player.flush();
    player.addToQueue(createTrack('y'));
    let hasArrived = false;
    const arrived = player.settle().then(() => (hasArrived = true));
    for (const { resolve } of answers) {
      await settle();
      expect(hasArrived).toBe(false);
      resolve();
    }
    await arrived;
    expect(account.ids()).toBe('axybc');
    expect(account.state.puts.at(-1)).toMatchObject({ isLeaving: true });
  });

  test('retries with increasing delays while the server is down, and at once when the machine is online', async () => {
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

  test('a log-out ends the wait for the next try', async () => {
    const { account, player, wait, online } = await openWith('abc');
    account.state.isDown = true;
    player.addToQueue(createTrack('x'));
    await wait();
    expect(online.size).toBe(1);
    player.setListener(null);
    expect(online.size).toBe(0);
  });

  test('changes not sent before a reload are sent after it', async () => {
    const { account, player, kept, wait } = await openWith('abc');
    account.state.isDown = true;
    player.addToQueue(createTrack('x'));
    await wait();
    player.flush();
    account.state.isDown = false;
    const again = openPage({ account, kept });
    await again.wait();
    expect(account.ids()).toBe('axbc');
    expect(again.takeNotices()).toEqual([]);
  });

  test('a save with a lost answer does not count as another device’s', async () => {
    const { account, player, wait, takeNotices, list } = await openWith('abc');
    account.state.losesResponse = true;
    player.addToQueue(createTrack('x'));
    await wait();
    player.addToQueue(createTrack('y'));
    await wait(1000);
    await wait(1000);
    expect(takeNotices()).toEqual([]);
    expect(list()).toBe('axybc');
    expect(account.ids()).toBe('axybc');
  });

  test('a save that the server refuses is not retried', async () => {
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
  test('the second shows the queue of the first at the same place', async () => {
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
    expect(other.takeNotices()).toEqual([]);
    expect(account.state.puts).toHaveLength(2);
  });

  test('the older one takes the newer queue with a notice; nothing is overwritten', async () => {
    const first = await openWith('abc');
    first.player.pause();
    const other = openPage({ account: first.account });
    await other.wait();
    other.player.addToQueue(createTrack('x'));
    await other.wait();
    first.player.addToQueue(createTrack('y'));
    await first.wait();
    expect(first.list()).toBe('axbc');
    expect(first.takeNotices()).toEqual(['queue-on-other-device-newer']);
    expect(first.account.ids()).toBe('axbc');
    first.player.addToQueue(createTrack('z'));
    await first.wait();
    expect(first.account.ids()).toBe('axzbc');
  });

  test('the current audio of the older one plays on, and the newer queue follows', async () => {
    const first = await openWith('abc');
    first.hear(20);
    const other = openPage({ account: first.account });
    await other.wait();
    other.player.playList(createTracks('xyz'), 0);
    await other.wait();
    first.player.addToQueue(createTrack('w'));
    await first.wait();
    expect(first.takeNotices()).toEqual(['queue-on-other-device-newer']);
    expect(first.list()).toBe('axyz');
    expect(first.player.getSnapshot().status).toBe('playing');
    expect(first.media.files).toHaveLength(1);
    expect(first.player.getPosition()).toBe(20);
    first.hear(5);
    await first.wait(5000);
    // The listener did not change anything on this device.
    expect(first.account.ids()).toBe('xyz');
    first.media.reachEnd();
    await first.wait();
    expect(first.account.ids()).toBe('xyz');
    expect(first.account.version()).toBe(3);
  });

  test('a paused device shows the other’s changes when it is visible again, with a notice', async () => {
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
    expect(first.takeNotices()).toEqual(['queue-on-other-device-newer']);
    first.player.pageShown();
    await first.wait();
    expect(first.takeNotices()).toEqual([]);
  });

  test('a list started on the older one wins, before the answer and without one', async () => {
    for (const isShown of [true, false]) {
      const first = await openWith('abc');
      first.player.pause();
      const other = openPage({ account: first.account });
      await other.wait();
      other.player.playList(createTracks('xyz'), 0);
      await other.wait();
      if (isShown) first.player.pageShown();
      first.player.playList(createTracks('klmn'), 0);
      first.media.receiveFile(300);
      await first.wait();
      await first.wait();
      expect(first.list()).toBe('klmn');
      expect(first.account.ids()).toBe('klmn');
      expect(first.takeNotices()).toEqual([]);
    }
  });

  test('the same list started again on the older one wins too, and later yields like any other', async () => {
    const first = await openWith('abc');
    const other = openPage({ account: first.account });
    await other.wait();
    other.player.playList(createTracks('xyz'), 0);
    await other.wait();
    first.player.playList(createTracks('abc'), 0);
    await first.wait();
    await first.wait();
    expect(first.account.ids()).toBe('abc');
    other.player.pageShown();
    await other.wait();
    other.player.addToQueue(createTrack('w'));
    await other.wait();
    first.player.pause();
    first.player.pageShown();
    await first.wait();
    expect(first.list()).toBe(other.list());
  });

  test('a tab of the same browser does not count as another device, but lost changes give a notice', async () => {
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
    expect(first.takeNotices()).toEqual([]);
    tab.player.next();
    await tab.wait();
    await tab.wait();
    first.player.addToQueue(createTrack('w'));
    await first.wait();
    expect(first.list()).toBe('yz');
    expect(first.takeNotices()).toEqual(['queue-on-other-device-newer']);
  });

  test('focus and visibility together send one request', async () => {
    const { player, account, wait } = await openWith('abc');
    const { gets } = account.state;
    await wait(2000);
    player.pageShown();
    player.pageShown();
    await wait(10);
    player.pageShown();
    expect(account.state.gets).toBe(gets + 1);
  });

  test('while a failed request waits, a page that is shown asks at once', async () => {
    const { player, account, wait } = await openWith('abc');
    await wait(2000);
    account.state.isDown = true;
    player.pageShown();
    await settle();
    const { gets } = account.state;
    account.state.isDown = false;
    player.pageShown();
    expect(account.state.gets).toBe(gets + 1);
  });

  test('after a reload the newer queue wins, and only a device that loses changes shows a notice', async () => {
    const first = await openWith('abc');
    first.player.flush();
    const other = openPage({ account: first.account });
    await other.wait();
    other.player.clearQueue();
    await other.wait();
    const reloaded = openPage({ account: first.account, kept: new Map(first.kept) });
    await reloaded.wait();
    expect(reloaded.list()).toBe('a');
    expect(reloaded.takeNotices()).toEqual([]);
    first.account.state.isDown = true;
    first.player.addToQueue(createTrack('x'));
    await first.wait();
    first.player.flush();
    first.account.state.isDown = false;
    const unsent = openPage({ account: first.account, kept: first.kept });
    await unsent.wait();
    expect(unsent.list()).toBe('a');
    expect(unsent.takeNotices()).toEqual(['queue-on-other-device-newer']);
  });

  test('unsent changes survive an audio that is gone, which the next answer announces', async () => {
    const first = await openWith('abcdef');
    first.account.state.isDown = true;
    first.player.next();
    first.player.next();
    first.player.addToQueue(createTrack('x'));
    await first.wait();
    first.player.flush();
    first.account.state.isDown = false;
    first.account.gone.add('f');
    const again = openPage({ account: first.account, kept: first.kept });
    await again.wait();
    await again.wait();
    expect(first.account.ids()).toBe('cxdef');
    again.player.pageShown();
    await again.wait();
    expect(again.list()).toBe('cxde');
    expect(again.notices).toEqual([{ kind: 'dropped-from-queue', count: 1 }]);
  });

  test('an audio that is gone does not bring back the one that ended during the request', async () => {
    const first = await openWith('abcd');
    first.account.gone.add('d');
    await first.wait();
    first.player.pageShown();
    first.media.reachEnd();
    first.media.receiveFile(300);
    await first.wait();
    expect(first.list()).toBe('bcd');
  });

  test('audios that are gone are removed, with their number in one notice', async () => {
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
  test('a list started just before the log-in wins over the saved one', async () => {
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

  test('a list started before the server’s answer wins too', async () => {
    const { account } = await openWith('abc');
    const page = openPage({ account });
    page.player.playList(createTracks('xyz'), 0);
    await page.wait();
    expect(page.list()).toBe('xyz');
    expect(account.ids()).toBe('xyz');
  });

  test('an audio added before the server’s answer goes into the saved queue', async () => {
    const { account } = await openWith('abc');
    const page = openPage({ account });
    page.player.addToQueue(createTrack('x'));
    page.player.addToQueue(createTrack('y'));
    await page.wait();
    expect(page.list()).toBe('axybc');
    await page.wait();
    expect(account.ids()).toBe('axybc');
  });

  test('audios added while the code loads go into the saved queue, and those from before do not', async () => {
    const { account } = await openWith('abc');
    const { player, list, arrive } = openWithLateCode(account);
    player.addToQueue(createTrack('v'));
    player.setListener({ id: 'u' });
    player.addToQueue(createTrack('x'));
    player.addToQueue(createTrack('y'));
    expect(account.ids()).toBe('abc');
    await arrive();
    expect([list(), account.ids()]).toEqual(['axybc', 'axybc']);
  });

  test('an audio added while the code loads goes into the queue that the browser kept, with its head shown before', async () => {
    for (const shown of ['', 'a']) {
      const { account, kept } = await openWith('abc');
      const { player, list, arrive } = openWithLateCode(account, kept);
      if (shown !== '') player.awaitQueue(createTrack(shown), 60);
      player.setListener({ id: 'u' });
      player.addToQueue(createTrack('x'));
      await arrive();
      expect([list(), account.ids()]).toEqual(['axbc', 'axbc']);
    }
  });

  test('a playing preview continues, and the saved queue follows it', async () => {
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

  test('with nothing saved, the current queue is saved', async () => {
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

  test('a late answer for the previous listener is ignored', async () => {
    const { account } = await openWith('abc');
    const page = openPage({ account });
    page.player.setListener(null);
    await page.wait();
    expect(page.list()).toBe('p');
  });
});

describe('a page that comes with the head of the saved queue', () => {
  test('shows it from the first moment, and the rest when it arrives, without a notice or a save', async () => {
    const { account } = await openWith('abc');
    const { player, list, wait, takeNotices, notices } = openPage({ account, head: 'a' });
    expect(player.getSnapshot()).toMatchObject({ current: { id: 'a' }, isPreview: false, status: 'idle' });
    expect(player.getPosition()).toBe(60);
    player.setPreview(createTrack('p'));
    expect(list()).toBe('a');
    const before = account.state.puts.length;
    await wait(5000);
    expect(list()).toBe('abc');
    expect(account.state.puts).toHaveLength(before);
    expect([takeNotices(), notices]).toEqual([[], []]);
  });

  test('plays its own head when play is pressed before the queue arrives, which then follows', async () => {
    const { account } = await openWith('abc');
    const { player, media, list, wait, takeNotices } = openPage({ account, head: 'a' });
    player.play();
    expect(media.files).toEqual(['/files/a']);
    media.receiveFile(300);
    await wait(5000);
    expect(list()).toBe('abc');
    expect(media.files).toHaveLength(1);
    expect(player.getSnapshot().status).toBe('playing');
    expect(account.ids()).toBe('abc');
    expect(takeNotices()).toEqual([]);
  });

  test('continues when the queue arrives after the end of its head', async () => {
    const { account } = await openWith('abc');
    const { player, media, list, wait } = openPage({ account, head: 'a' });
    player.play();
    media.receiveFile(300);
    media.reachEnd();
    expect(player.getSnapshot().status).toBe('ended');
    await wait();
    media.receiveFile(300);
    expect(player.getSnapshot()).toMatchObject({ status: 'playing', current: { id: 'b' } });
    expect(list()).toBe('bc');
    await wait();
    expect(account.ids()).toBe('bc');
  });

  test('a list that ended starts nothing when another device adds to the queue', async () => {
    const first = await openWith('a');
    first.media.reachEnd();
    await first.wait();
    const other = openPage({ account: first.account });
    await other.wait();
    other.player.addToQueue(createTrack('x'));
    await other.wait();
    first.player.pageShown();
    await first.wait();
    expect(first.list()).toBe('ax');
    expect(first.player.getSnapshot().status).toBe('ended');
  });

  test('adds audios chosen before the queue arrives to that queue', async () => {
    const { account } = await openWith('abc');
    const { player, list, wait } = openPage({ account, head: 'a' });
    player.addToQueue(createTrack('x'));
    await wait(5000);
    expect(list()).toBe('axbc');
    expect(account.ids()).toBe('axbc');
  });

  test('uses the locally stored queue at once, and stays usable offline', async () => {
    const kept = new Map<string, string>();
    const { account, player } = await openWith('abc', { account: createFakeQueueServer(), kept });
    player.flush();
    account.state.isDown = true;
    expect(openPage({ account, kept, head: 'a' }).list()).toBe('abc');
    const alone = openPage({ account, head: 'a' });
    await alone.wait(5000);
    expect(alone.list()).toBe('a');
    alone.player.playList(createTracks('xy'), 0);
    account.state.isDown = false;
    alone.comeOnline();
    await alone.wait(5000);
    expect(account.ids()).toBe('xy');
  });

  test('shows the preview again after the log-out', async () => {
    const { player, list } = openPage({ account: createFakeQueueServer(), head: 'a' });
    player.setListener(null);
    expect(list()).toBe('p');
    expect(player.getSnapshot().isPreview).toBe(true);
  });
});
