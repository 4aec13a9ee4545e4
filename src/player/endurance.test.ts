/** @module-tag slow */
import { expect, test } from 'vitest';
import { settle } from '#test/support/player/fake-clock.ts';
import { FakeMedia } from '#test/support/player/fake-media.ts';
import { createTestPlayer } from '#test/support/player/fake-player.ts';
import { createFakeQueueServer } from '#test/support/player/fake-queue-server.ts';
import { createTrack, idsOf } from '#test/support/player/fake-tracks.ts';
import { type MediaSessionLike, connectMediaSession } from './media-session.ts';
import { createWarmUp } from './media/warm-up.ts';

/** Counts its event listeners. */
class CountedMedia extends FakeMedia {
  listeners = 0;
  override addEventListener(...args: Parameters<FakeMedia['addEventListener']>) {
    this.listeners += 1;
    super.addEventListener(...args);
  }
  override removeEventListener(...args: Parameters<FakeMedia['removeEventListener']>) {
    this.listeners -= 1;
    super.removeEventListener(...args);
  }
}

const many = (count: number) =>
  Array.from({ length: count }, (_, index) => createTrack(`t${index}`, { numberDuration: 40 }));

test('two hundred audios leak nothing: one element, no extra listeners, timers or requests', async () => {
  const media = new CountedMedia();
  const online = new Set<() => void>();
  const elements: { preload: string; muted: boolean; src: string; removeAttribute(): void; load(): void }[] = [];
  const account = createFakeQueueServer();
  const session: MediaSessionLike = { metadata: null, playbackState: 'none', setActionHandler: () => {} };
  const { player, hear, clock, kept } = createTestPlayer({
    media,
    queueServer: account.server,
    network: {
      subscribe(run) {
        online.add(run);
        return () => void online.delete(run);
      },
    },
    warmUp: createWarmUp({
      createElement() {
        const element = {
          preload: '',
          muted: false,
          src: '',
          removeAttribute: () => void (element.src = ''),
          load() {},
        };
        elements.push(element);
        return element;
      },
    }),
  });
  let timers = 0;
  const { after } = clock;
  clock.after = (milliseconds, run) => {
    timers += 1;
    let isOver = false;
    const end = () => {
      timers -= isOver ? 0 : 1;
      isOver = true;
    };
    const cancel = after(milliseconds, () => {
      end();
      run();
    });
    return () => {
      end();
      cancel();
    };
  };
  connectMediaSession(player, {
    session,
    artworkUrl: () => '',
    neutral: { title: '', artworkUrl: '' },
    createMetadata: (init) => init as MediaMetadata,
  });
  player.setListener({ id: 'u' });
  await settle();
  player.playList(many(260), 0);
  const figures: object[] = [];
  for (let change = 0; change < 200; change += 1) {
    media.receiveFile(40);
    hear(12);
    await settle();
    if (change % 2 === 0) media.reachEnd();
    else player.next();
    if (change < 20 || change % 20 > 0) continue;
    clock.advance(3000);
    await settle();
    figures.push({ listeners: media.listeners, online: online.size, timers, elements: elements.length });
  }
  expect(player.getSnapshot().current?.id).toBe('t200');
  expect(new Set(figures.map((figure) => JSON.stringify(figure))).size).toBe(1);
  expect(figures[0]).toMatchObject({ online: 0, elements: 1 });
  expect(player.getSnapshot().queue.played).toHaveLength(100);
  expect(kept.get('sotto_queue')?.length).toBeLessThan(200_000);
  player.setListener(null);
  clock.advance(60_000);
  expect(online.size).toBe(0);
});

test('the work of each command grows linearly with the length of the queue', () => {
  /** Reads of item ids caused by thirty commands of each kind on a queue of `count` items. */
  function looks(count: number): number {
    let looked = 0;
    const list = many(count).map((track) => {
      const { id } = track;
      return Object.defineProperty(track, 'id', {
        enumerable: true,
        get() {
          looked += 1;
          return id;
        },
      });
    });
    const { player } = createTestPlayer();
    player.setListener({ id: 'u' });
    player.playList(list, Math.floor(count / 2));
    for (let at = 1; at <= 30; at += 1) {
      player.addToQueue(createTrack(`x${at}`));
      player.moveInQueue(at, count - at);
      player.removeFromQueue(`t${at}`);
      player.next();
      player.previous();
    }
    expect(player.getSnapshot().queue.list).toHaveLength(count);
    return looked;
  }
  expect(looks(900) / looks(300)).toBeLessThan(4);
  expect(looks(900)).toBeLessThan(150 * 900 * 10);
});

test('a thousand audios added one by one keep their order', () => {
  const { player } = createTestPlayer();
  for (const track of many(1000)) player.addToQueue(track);
  expect(idsOf(player.getSnapshot().queue.list)).toBe(idsOf(many(1000)));
});
