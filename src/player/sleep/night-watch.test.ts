import { describe, expect, test } from 'vitest';
import { settle } from '#test/support/player/fake-clock.ts';
import { createTrack } from '#test/support/player/fake-tracks.ts';
import { openNightPage } from '#test/support/player/night-player.ts';
import type { Notice } from '../notices.ts';

const tracks = ['a', 'b', 'c'].map((id) => createTrack(id, { numberDuration: 3000 }));

/** Playing the first of three long audios, at 23:00. */
async function setUp(options: Parameters<typeof openNightPage>[0] = {}) {
  const page = openNightPage(options);
  await settle();
  const notices: Notice[] = [];
  page.player.onNotice((notice) => notices.push(notice));
  page.night.pressed();
  page.player.playList(tracks, 0);
  page.media.receiveFile(3000);
  return {
    ...page,
    notices,
    left: () => page.player.sleepTimer.getSnapshot().remainingSeconds,
    place: () => [page.player.getSnapshot().current?.id, Math.round(page.player.getPosition())],
    /** A timer of five minutes, in its last seconds. */
    async fade() {
      page.night.pressed();
      page.player.setSleepTimer({ kind: 'minutes', minutes: 5 });
      page.hear(280);
    },
  };
}

describe('in the last seconds', () => {
  test.each([
    ['a touch', (page: Awaited<ReturnType<typeof setUp>>) => void expect(page.night.pressed()).toBe(true)],
    ['a shake', (page: Awaited<ReturnType<typeof setUp>>) => void expect(page.night.pressed(true)).toBe(true)],
    ['Pause of the headphones', (page: Awaited<ReturnType<typeof setUp>>) => page.keys.pause()],
    ['Next on the lock screen', (page: Awaited<ReturnType<typeof setUp>>) => page.keys.next()],
  ])('%s prolongs by ten minutes and does nothing else; it can be undone', async (_, act) => {
    const page = await setUp();
    await page.fade();
    expect(page.night.getSnapshot().isEnding).toBe(true);
    expect(page.media.volume).toBeLessThan(0.5);
    act(page);
    expect([page.left(), page.media.paused, page.media.volume]).toEqual([600, false, 1]);
    expect(page.place()).toEqual(['a', 280]);
    expect(page.night.getSnapshot().isEnding).toBe(false);
    const [notice] = page.notices;
    expect(notice).toMatchObject({ kind: 'prolonged', until: page.date() + 600_000 });
    if (notice?.kind === 'prolonged') notice.undo();
    expect([page.left(), page.night.getSnapshot().isEnding]).toEqual([30, false]);
    page.hear(30);
    expect(page.media.paused).toBe(true);
  });

  test('“Let it stop” asks no more, and touches do not prolong', async () => {
    const page = await setUp();
    await page.fade();
    page.night.letStop();
    expect(page.night.getSnapshot().isEnding).toBe(false);
    expect(page.night.pressed()).toBe(false);
    page.hear(20);
    expect(page.media.paused).toBe(true);
  });

  test('keys do what they say where they shall not prolong', async () => {
    const page = await setUp();
    page.night.changeSettings({ prolongsByKey: false });
    await page.fade();
    page.keys.pause();
    expect([page.media.paused, page.notices]).toEqual([true, []]);
  });

  test('a pause that headphones sent when they were lost is one', async () => {
    const page = await setUp();
    await page.fade();
    page.keys.pause();
    expect(page.media.paused).toBe(false);
    page.clock.advance(700);
    page.night.devicesChanged();
    expect([page.media.paused, page.left()]).toEqual([true, 30]);
  });
});

describe('after the end', () => {
  test('a press of the headphones goes on with ten more minutes', async () => {
    const page = await setUp();
    await page.fade();
    page.hear(20);
    page.clock.advance(20_000);
    page.keys.play();
    expect([page.media.paused, page.left()]).toEqual([false, 600]);
    expect(page.place()).toEqual(['a', 270]);
  });

  test('the next start goes back to the last sign, or on where it stopped', async () => {
    const page = await setUp();
    page.night.pressed();
    page.player.setSleepTimer({ kind: 'minutes', minutes: 10 });
    page.hear(100);
    page.night.pressed();
    page.hear(500);
    expect(page.media.paused).toBe(true);
    expect(page.night.getSnapshot().offer).toMatchObject({
      from: { audioId: 'a', seconds: 70 },
      sign: { seconds: 100 },
      stopped: { audioId: 'a', seconds: 599.75 },
      titles: undefined,
    });
    page.clock.advance(3_600_000);
    page.night.shown();
    expect(page.place()).toEqual(['a', 70]);
    page.night.startFrom('stopped');
    expect(page.place()).toEqual(['a', 600]);
    expect(page.night.getSnapshot().offer).toBeUndefined();
  });

  test('an earlier audio comes back, and the later one follows it', async () => {
    const page = await setUp();
    page.night.pressed();
    page.player.setSleepTimer({ kind: 'minutes', minutes: 60 });
    page.hear(2900);
    page.night.pressed();
    page.hear(100);
    page.media.reachEnd();
    page.media.receiveFile(3000);
    page.hear(600);
    expect([page.media.paused, ...page.place()]).toEqual([true, 'b', 600]);
    page.clock.advance(100_000);
    expect(page.place()).toEqual(['a', 2870]);
    expect(page.night.getSnapshot().offer?.titles).toEqual({ sign: 'Audio a', stopped: 'Audio b' });
    page.night.startFrom('stopped');
    page.media.receiveFile(3000);
    expect(page.place()).toEqual(['b', 600]);
  });

  test('what is chosen after the first press stays', async () => {
    const page = await setUp();
    await page.fade();
    page.hear(20);
    page.clock.advance(100_000);
    expect(page.place()).toEqual(['a', 0]);
    page.night.pressed();
    page.player.seekToSeconds(1000);
    page.night.pressed();
    page.player.play();
    expect(page.place()).toEqual(['a', 1000]);
  });

  test('sound that starts by itself after a call is paused', async () => {
    const page = await setUp();
    page.night.pressed();
    page.player.setSleepTimer({ kind: 'minutes', minutes: 10 });
    page.hear(300);
    page.media.interrupt();
    page.clock.advance(400_000);
    void page.media.play().catch(() => {});
    expect([page.media.paused, page.left()]).toEqual([true, null]);
    page.night.pressed();
    page.player.play();
    expect(page.media.paused).toBe(false);
  });

  test('another listener of this browser gets no offer', async () => {
    const page = await setUp();
    await page.fade();
    page.hear(20);
    page.night.forget();
    expect([page.night.getSnapshot().offer, page.kept.get('sotto_night')]).toEqual([undefined, undefined]);
  });

  test('a page that ended with the battery goes back, too', async () => {
    const page = await setUp();
    page.night.pressed();
    page.player.setSleepTimer({ kind: 'minutes', minutes: 60 });
    page.hear(400);
    page.player.flush();
    await settle();
    const next = openNightPage({ kept: page.kept, account: page.account, openedAt: page.date() + 8 * 3_600_000 });
    await settle();
    expect(next.player.getPosition()).toBe(0);
    expect(next.night.getSnapshot().offer).toMatchObject({
      from: { seconds: 0 },
      stopped: { audioId: 'a', seconds: 400 },
    });
  });
});

describe('within the chosen hours', () => {
  test('the timer starts by itself, and each sign of waking starts it anew', async () => {
    const page = await setUp();
    expect(page.left()).toBeNull();
    page.night.changeSettings({ isAutomatic: true, from: '22:30', to: '06:00' });
    expect(page.left()).toBe(600);
    page.hear(300);
    expect(page.left()).toBe(300);
    page.night.pressed();
    expect(page.left()).toBe(600);
    page.hear(600);
    expect(page.media.paused).toBe(true);
  });

  test('it begins when the hours do', async () => {
    const page = await setUp();
    page.night.changeSettings({ isAutomatic: true, from: '23:05', to: '06:00' });
    page.hear(280);
    expect(page.left()).toBeNull();
    page.hear(40);
    expect(page.left()).toBeGreaterThan(570);
  });

  test('turned off, it does not come back in the same night', async () => {
    const page = await setUp();
    page.night.changeSettings({ isAutomatic: true });
    page.player.setSleepTimer(undefined);
    page.hear(1200);
    expect([page.left(), page.media.paused]).toEqual([null, false]);
  });
});

test('settings are kept, and unreadable ones are the first ones', () => {
  const { night, kept } = openNightPage();
  night.changeSettings({ prolongsByShake: true, from: '21:00' });
  expect(openNightPage({ kept }).night.getSnapshot().settings).toMatchObject({ prolongsByShake: true, from: '21:00' });
  kept.set('sotto_night_settings', '{"prolongsByKey":3,"from":"<b>"}');
  expect(openNightPage({ kept }).night.getSnapshot().settings).toMatchObject({ prolongsByKey: true, from: '22:30' });
});
