import { expect, test } from 'vitest';
import { seededRandom } from '#demo/random.ts';
import { settle } from '#test/support/player/fake-clock.ts';
import { createFakeQueueServer } from '#test/support/player/fake-queue-server.ts';
import { createTrack } from '#test/support/player/fake-tracks.ts';
import { openNightPage } from '#test/support/player/night-player.ts';
import type { SleepSetting } from './sleep-state.ts';
import { createShakeDetector } from './night.ts';

/**
 * Simulated nights: a listener falls asleep within 50 minutes, and prolongs before that. Calls, lost headphones and
 * empty batteries come at any time, awake or asleep.
 */

type Outcome = {
  /** Seconds from the last sign of waking to the end of the sound. */
  soundAfterSign: number;
  /** Seconds between the last sign and the place of the next start; infinite for another audio. */
  distance: number;
  /** Another audio sounded without a press, or the next start was another audio. */
  wrongAudio: boolean;
  /** Minutes of a timer that the listener has chosen; null for one that started by itself. */
  chosen: number | null;
};

/** Seconds of a simulated step. */
const slack = 4;

const settings: [number, SleepSetting | null][] = [
  // By itself.
  [0.6, null],
  [0.1, { kind: 'minutes', minutes: 5 }],
  [0.24, { kind: 'minutes', minutes: 10 }],
  [0.03, { kind: 'minutes', minutes: 15 }],
  [0.03, { kind: 'end-of-audio' }],
];

/** @param hasWatch false: the listener’s signs change nothing, as without the rules of the night */
async function spendNight(seed: number, hasWatch = true): Promise<Outcome> {
  const random = seededRandom(seed);
  const between = (low: number, high: number) => low + random() * (high - low);
  const isLucky = (chance: number) => random() < chance;
  const tracks = Array.from({ length: 40 }, (_, at) =>
    createTrack(`t${at}`, { numberDuration: Math.round(between(180, 1500)) }),
  );
  const durationOf = (id: string | undefined) => tracks.find((track) => track.id === id)?.numberDuration ?? 600;
  const openedAt = Date.UTC(2026, 10, 30, 22, 40) + Math.round(between(0, 150)) * 60_000;
  const account = createFakeQueueServer((id) => tracks.find((track) => track.id === id) ?? createTrack(id));
  let page = openNightPage({ openedAt, account, autoLoads: isLucky(0.5) });
  await settle();
  if (hasWatch) page.night.changeSettings({ isAutomatic: true, prolongsByShake: true });

  let seconds = 0;
  let sign = { audioId: '', seconds: 0, at: 0 };
  let endedAt = 0;
  let soundedAsleep = new Set<string>();
  let files = 0;
  const current = () => page.player.getSnapshot().current?.id;
  const isSounding = () => !page.media.paused;
  const noteSign = () => {
    sign = { audioId: current() ?? '', seconds: page.player.getPosition(), at: seconds };
  };
  const receive = () => {
    if (page.media.files.length === files) return;
    files = page.media.files.length;
    page.media.receiveFile(durationOf(current()));
  };
  const pressPage = (act: () => void) => {
    const isTaken = hasWatch && page.night.pressed();
    if (!isTaken) act();
    receive();
    noteSign();
  };
  const pressKey = (key: 'play' | 'pause' | 'next') => {
    (hasWatch ? page.keys : page.player)[key]();
    receive();
    noteSign();
  };
  const shake = () => {
    const isShaken = createShakeDetector();
    for (const at of [0, 300]) if (isShaken({ x: 24, y: 3, z: 9 }, at) && hasWatch) page.night.pressed(true);
    noteSign();
  };

  pressPage(() => page.player.playList(tracks, 0));
  const share = random();
  let sum = 0;
  const [, setting] = settings.find(([chance]) => (sum += chance) > share) ?? [0, null];
  if (setting) pressPage(() => page.player.setSleepTimer(setting));

  const asleepAt = between(120, 3000);
  // Disturbances from outside, by second.
  const events: { at: number; act: () => void }[] = [];
  const interrupt = (resumesAfter: number | undefined) => () => {
    if (!isSounding()) return;
    page.media.interrupt();
    if (resumesAfter !== undefined)
      events.push({
        at: seconds + resumesAfter,
        act: () => void (!isSounding() && page.media.src !== '' && page.media.play().catch(() => {})),
      });
  };
  if (isLucky(0.25)) events.push({ at: between(60, 5000), act: interrupt(between(20, 1200)) });
  if (isLucky(0.25))
    events.push({
      at: between(60, 5000),
      act() {
        const isByKey = isLucky(0.5);
        if (isByKey && hasWatch) page.keys.pause();
        else interrupt(undefined)();
        if (hasWatch) page.night.devicesChanged();
        if (isLucky(0.5))
          events.push({
            at: seconds + between(30, 1800),
            act() {
              if (hasWatch) page.night.devicesChanged();
              (hasWatch ? page.keys : page.player).play();
              receive();
            },
          });
      },
    });
  let isDead = false;
  if (isLucky(0.08)) events.push({ at: between(300, 4000), act: () => (isDead = true) });
  // Turning over in bed is no shake.
  const roll = createShakeDetector();

  let reactsAt: number | undefined;
  while (seconds < asleepAt + 4500 && !isDead) {
    const left = page.player.sleepTimer.getSnapshot().remainingSeconds;
    const step = left !== null && left <= 35 ? 1 : slack;
    seconds += step;
    page.clock.advance(step * 1000);
    if (isSounding() && page.media.readyState > 0) {
      page.media.advance(Math.min(step, page.media.duration - page.media.currentTime));
      if (page.media.currentTime >= page.media.duration) page.media.reachEnd();
      receive();
    }
    for (const event of events.filter(({ at }) => at <= seconds)) {
      events.splice(events.indexOf(event), 1);
      event.act();
    }
    if (isSounding()) {
      endedAt = seconds;
      const id = current();
      if (seconds > asleepAt && id !== undefined) soundedAsleep.add(id);
    }
    if (seconds >= asleepAt) {
      if (roll({ x: 12, y: 9, z: 8 }, seconds * 1000) && hasWatch) page.night.pressed(true);
      continue;
    }
    soundedAsleep = new Set();
    const isFading = isSounding() && left !== null && left <= 30;
    if (isFading || !isSounding()) reactsAt ??= seconds + between(2, isFading ? 22 : 45);
    else {
      reactsAt = undefined;
      if (isLucky(step / 600)) pressPage(() => {});
    }
    if (reactsAt === undefined || seconds < reactsAt) continue;
    reactsAt = undefined;
    const way = random();
    if (!isSounding() && way < 0.6) pressKey('play');
    else if (!isSounding()) pressPage(page.player.play);
    else if (way < 0.5) pressKey(isLucky(0.8) ? 'pause' : 'next');
    else if (way < 0.9) pressPage(() => {});
    else shake();
  }

  const chosen = setting === null ? null : setting.kind === 'minutes' ? setting.minutes : 60;
  // The list goes on until the timer ends it, and nothing sounds after that.
  const isLate = endedAt - sign.at > Math.max(600, (chosen ?? 0) * 60) + slack;
  const wrongWhileAsleep =
    !isDead && (isSounding() || (isLate && [...soundedAsleep].some((id) => id !== sign.audioId)));
  await settle();
  const nextDay = openedAt + (seconds + 7 * 3600) * 1000;
  if (isDead || isLucky(0.3)) {
    page.player.flush(true);
    page.media.pause();
    const { kept } = page;
    page = openNightPage({ kept, account, openedAt: nextDay, autoLoads: isLucky(0.5) });
    if (!hasWatch) kept.delete('sotto_night');
    files = 0;
    await settle();
    receive();
    page.clock.advance(5000);
    await settle();
  } else page.clock.advance(nextDay - page.date());
  if (hasWatch) {
    page.night.shown();
    if (isLucky(0.7)) page.night.pressed();
  }
  if (hasWatch) page.keys.play();
  else page.player.play();
  receive();
  // Heard to its end just after the last sign, an audio is followed by the next one.
  const following = tracks[tracks.findIndex(({ id }) => id === sign.audioId) + 1]?.id;
  const ahead = current() === sign.audioId ? 0 : current() === following ? durationOf(sign.audioId) : Infinity;
  const distance = Math.abs(ahead + page.player.getPosition() - sign.seconds);
  return {
    soundAfterSign: endedAt - sign.at,
    distance,
    wrongAudio: wrongWhileAsleep || (current() !== sign.audioId && distance > 64),
    chosen,
  };
}

const shareOf = <Item>(items: Item[], isSo: (item: Item) => boolean) => items.filter(isSo).length / items.length;

test('a thousand nights: the sound ends in time, the next start is near the last sign, and nothing else plays', async () => {
  const nights: Outcome[] = [];
  for (let seed = 1; seed <= 1000; seed += 1) nights.push(await spendNight(seed));
  expect(shareOf(nights, ({ soundAfterSign }) => soundAfterSign <= 600 + slack)).toBeGreaterThanOrEqual(0.95);
  expect(shareOf(nights, ({ distance }) => distance <= 30 + slack)).toBeGreaterThanOrEqual(0.95);
  expect(nights.filter(({ wrongAudio }) => wrongAudio)).toEqual([]);
  // Later than that only where the listener had chosen a longer time.
  expect(nights.filter(({ soundAfterSign, chosen }) => soundAfterSign > 600 + slack && (chosen ?? 0) <= 10)).toEqual(
    [],
  );
}, 180_000);

test('without the rules of the night, most of these nights miss it', async () => {
  const nights: Outcome[] = [];
  for (let seed = 1; seed <= 60; seed += 1) nights.push(await spendNight(seed, false));
  expect(shareOf(nights, ({ soundAfterSign }) => soundAfterSign <= 600 + slack)).toBeLessThan(0.6);
  expect(shareOf(nights, ({ distance }) => distance <= 30 + slack)).toBeLessThan(0.3);
}, 60_000);
