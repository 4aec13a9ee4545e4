import { type Player } from '#player/player.ts';
import { alreadyLoaded } from '#player/lazy.ts';
import { type NightWatch, answeredAtNight, createNightWatch } from '#player/sleep/night-watch.ts';
import type { SleepTimerParts } from '#player/sleep/sleep-timer.ts';
import { createFakeQueueServer } from './fake-queue-server.ts';
import { createTestPlayer, lazyPartsOf } from './fake-player.ts';

type Page = {
  /** The browser’s storage; the same one again is a reload. */
  kept?: Map<string, string>;
  /** Milliseconds since 1970 at which the page opens. */
  openedAt?: number;
  account?: ReturnType<typeof createFakeQueueServer>;
  autoLoads?: boolean;
};

/** A page of a listener who is logged in, with the night watch; its zone is UTC. */
export function openNightPage({
  kept = new Map(),
  openedAt = Date.UTC(2026, 10, 30, 23, 0),
  account = createFakeQueueServer(),
  autoLoads = true,
}: Page = {}) {
  const storage = {
    get: (key: string) => kept.get(key) ?? null,
    set: (key: string, value: string) => void (value === '' ? kept.delete(key) : kept.set(key, value)),
  };
  const parts = {
    ...lazyPartsOf({ queueServer: account.server, storage }),
    createSleepTimer: (timer: SleepTimerParts) => watch.createSleepTimer(timer),
  };
  const page = createTestPlayer({ storage, parts: alreadyLoaded(parts), autoLoads: () => autoLoads });
  const date = () => openedAt + page.clock.now();
  const watch: NightWatch = createNightWatch({
    player: page.player,
    clock: page.clock,
    storage,
    date,
    localTime: () => new Date(date()).toISOString().slice(11, 16),
  });
  page.player.setListener({ id: 'u' });
  const keys: Player = answeredAtNight(page.player, watch);
  return { ...page, kept, account, date, night: watch, keys };
}
