import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { FavoriteIds } from '#domain/library/favorites.ts';
import { type FavoriteSubject, createFavorites } from './favorites.ts';

const none: FavoriteIds = { audios: [], voices: [], categories: [], playlists: [], users: [] };
const star: FavoriteSubject = { contentTypeId: 'audio', id: 'star', name: 'Bright Star' };
const list: FavoriteSubject = { contentTypeId: 'userPlaylist', id: 'list', name: 'Sunday' };

type Outcome = { ok: true; totalFavorite: number | null } | { ok: false; message: string };

/** Test double of the site’s calls; the test resolves each one. */
function open(ids: FavoriteIds = none, isWhole = true) {
  const saves: { id: string; isFavorite: boolean; answer: (outcome: Outcome) => void }[] = [];
  const loads: ((ids: FavoriteIds | undefined) => void)[] = [];
  const refused: string[] = [];
  const first = { userId: 'ada', ids, isWhole };
  const favorites = createFavorites({
    first,
    calls: {
      save: ({ id, isFavorite }) => new Promise((answer) => void saves.push({ id, isFavorite, answer })),
      load: () => new Promise((answer) => void loads.push(answer)),
    },
    onRefused: ({ name }, wanted, message) => refused.push(`${name} ${wanted}: ${message}`),
  });
  favorites.setUser(first);
  const sent = () => saves.map(({ id, isFavorite }) => `${id} ${isFavorite}`);
  async function answer(index: number, outcome: Outcome) {
    saves[index]?.answer(outcome);
    await vi.advanceTimersByTimeAsync(0);
  }
  async function answerLoad(index: number, loaded: FavoriteIds | undefined) {
    loads[index]?.(loaded);
    await vi.advanceTimersByTimeAsync(0);
  }
  return { favorites, saves, loads, refused, sent, answer, answerLoad };
}

const saved: Outcome = { ok: true, totalFavorite: 5 };

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('a press', () => {
  test('toggles at once, is active for 200 ms, and is sent after 350 ms', async () => {
    const { favorites, sent } = open();
    expect(favorites.toggle(star)).toBe(true);
    expect(favorites.stateOf(star)).toBe('on-active');
    await vi.advanceTimersByTimeAsync(199);
    expect(favorites.stateOf(star)).toBe('on-active');
    await vi.advanceTimersByTimeAsync(1);
    expect(favorites.stateOf(star)).toBe('on');
    await vi.advanceTimersByTimeAsync(149);
    expect(sent()).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(sent()).toEqual(['star true']);
  });

  test('ten quick presses make one call, with the last state', async () => {
    const { favorites, sent } = open();
    for (let press = 0; press < 10; press += 1) {
      favorites.toggle(star);
      await vi.advanceTimersByTimeAsync(50);
    }
    await vi.advanceTimersByTimeAsync(350);
    expect(sent()).toEqual(['star false']);
  });

  test('that the site refuses is reverted and reported', async () => {
    const { favorites, refused, answer } = open();
    favorites.toggle(star);
    await vi.advanceTimersByTimeAsync(350);
    expect(favorites.balanceOf('audios')).toBe(1);
    await answer(0, { ok: false, message: 'No internet connection' });
    expect(favorites.stateOf(star)).toBe('off');
    expect(favorites.balanceOf('audios')).toBe(0);
    expect(refused).toEqual(['Bright Star true: No internet connection']);
  });

  test('during a running call waits for it, and its answer does not overwrite the press', async () => {
    const { favorites, sent, answer, refused } = open();
    favorites.toggle(star);
    await vi.advanceTimersByTimeAsync(350);
    favorites.toggle(star);
    await vi.advanceTimersByTimeAsync(350);
    expect(sent()).toEqual(['star true']);
    await answer(0, { ok: false, message: 'No' });
    expect(sent()).toEqual(['star true', 'star false']);
    expect([favorites.stateOf(star), refused]).toEqual(['off', []]);
    await answer(1, { ok: true, totalFavorite: 4 });
    expect([favorites.stateOf(star), favorites.totalOf('star')]).toEqual(['off', 4]);
  });
});

describe('after a save', () => {
  test('the user data reloads once for all saves', async () => {
    const { favorites, loads, answer, answerLoad } = open();
    favorites.toggle(star);
    favorites.toggle(list);
    await vi.advanceTimersByTimeAsync(350);
    await answer(0, saved);
    await answer(1, saved);
    expect(loads.length).toBe(1);
    // Requested before the second save was confirmed, so it is requested again.
    await answerLoad(0, { ...none, audios: ['star'] });
    expect([favorites.stateOf(list), loads.length]).toEqual(['on', 2]);
    await answerLoad(1, { ...none, audios: ['star', 'echo'], playlists: ['list'] });
    expect(favorites.stateOf({ contentTypeId: 'audio', id: 'echo' })).toBe('on');
    expect(favorites.stateOf(list)).toBe('on');
  });

  test('a press during the reload keeps its state', async () => {
    const { favorites, answer, answerLoad } = open();
    favorites.toggle(star);
    await vi.advanceTimersByTimeAsync(350);
    await answer(0, saved);
    favorites.toggle(list);
    await answerLoad(0, { ...none, audios: ['star'] });
    expect(favorites.stateOf(list)).toBe('on-active');
  });
});

describe('the user', () => {
  test('starts with the favorites in the page’s data, and loads the rest when there are more', async () => {
    const { favorites, loads, answerLoad } = open({ ...none, audios: ['star'] }, false);
    expect([favorites.stateOf(star), loads.length]).toEqual(['on', 1]);
    await answerLoad(0, { ...none, audios: ['star', 'echo'] });
    expect(favorites.stateOf({ contentTypeId: 'audio', id: 'echo' })).toBe('on');
  });

  test('after a change of user, pending presses are not sent', async () => {
    const { favorites, sent } = open({ ...none, audios: ['echo'] });
    favorites.toggle(star);
    favorites.setUser({ userId: null, ids: undefined, isWhole: true });
    await vi.advanceTimersByTimeAsync(1000);
    expect(sent()).toEqual([]);
    expect(favorites.stateOf(star)).toMatch(/^off/);
    expect(favorites.stateOf({ contentTypeId: 'audio', id: 'echo' })).toBe('off');
  });

  test('after a change of user, answers for the previous one are ignored', async () => {
    const { favorites, answer, refused } = open();
    favorites.toggle(star);
    await vi.advanceTimersByTimeAsync(350);
    favorites.setUser({ userId: 'bo', ids: none, isWhole: true });
    await answer(0, saved);
    expect([favorites.stateOf(star), refused]).toEqual(['off', []]);
  });

  describe('of a former user', () => {
    const bright = (favorites: ReturnType<typeof open>['favorites']) => [
      favorites.stateOf(star),
      favorites.totalOf('star'),
      favorites.balanceOf('audios'),
    ];

    test.each([
      ['bob', ['moon']],
      [null, []],
    ])('nothing is left for %s: no heart, no number, no changed count', async (userId, audios) => {
      const { favorites, answer, answerLoad } = open({ ...none, audios: ['sun'] });
      favorites.toggle(star);
      await vi.advanceTimersByTimeAsync(350);
      await answer(0, saved);
      await answerLoad(0, { ...none, audios: ['sun', 'star'] });
      expect(bright(favorites)).toEqual(['on', 5, 1]);
      favorites.setUser({ userId, ids: { ...none, audios }, isWhole: true });
      expect(bright(favorites)).toEqual(['off', undefined, 0]);
      expect(favorites.stateOf({ contentTypeId: 'audio', id: 'sun' })).toBe('off');
      expect(favorites.stateOf({ contentTypeId: 'audio', id: 'moon' })).toBe(audios.length > 0 ? 'on' : 'off');
    });

    test('favorites that arrive late are ignored, and the new user’s are loaded', async () => {
      const { favorites, loads, answerLoad } = open(none, false);
      favorites.setUser({ userId: 'bob', ids: none, isWhole: false });
      await answerLoad(0, { ...none, audios: ['star'] });
      expect(favorites.stateOf(star)).toBe('off');
      expect(loads).toHaveLength(2);
      await answerLoad(1, { ...none, audios: ['moon'] });
      expect(favorites.stateOf({ contentTypeId: 'audio', id: 'moon' })).toBe('on');
    });

    test('favorites that arrive after the log-out are ignored, and no others are loaded', async () => {
      const { favorites, loads, answerLoad } = open(none, false);
      favorites.setUser({ userId: null, ids: undefined, isWhole: true });
      await answerLoad(0, { ...none, audios: ['star'] });
      expect(favorites.stateOf(star)).toBe('off');
      expect(loads).toHaveLength(1);
    });
  });

  test('pending presses are sent at once when the page is left', async () => {
    const { favorites, sent } = open();
    favorites.toggle(star);
    void favorites.flush();
    expect(sent()).toEqual(['star true']);
  });

  test('a change that was answered a moment ago still counts, since data loaded meanwhile may lack it', async () => {
    const { favorites, answer } = open();
    expect(await favorites.flush()).toBe(false);
    favorites.toggle(star);
    await vi.advanceTimersByTimeAsync(350);
    await answer(0, saved);
    expect(await favorites.flush()).toBe(true);
    await vi.advanceTimersByTimeAsync(5000);
    expect(await favorites.flush()).toBe(false);
  });

  test('adding an existing favorite sends nothing', async () => {
    const { favorites, sent } = open({ ...none, audios: ['star'] });
    favorites.keep(star);
    await vi.advanceTimersByTimeAsync(1000);
    expect(sent()).toEqual([]);
  });
});
