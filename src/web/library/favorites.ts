import type { FavoriteIds } from '#domain/library/favorites.ts';
import type { ContentTypeId, FavoriteGroup } from '#domain/library/rules.ts';
import { favoriteGroups, groupOf } from '#domain/library/rules.ts';

export type FavoriteSubject = { contentTypeId: ContentTypeId; id: string; name: string };

/** How a heart is drawn: `…-active` for the 200 ms after a press. */
export type FavoriteLook = 'off' | 'on' | 'off-active' | 'on-active';

type Change = { contentTypeId: ContentTypeId; id: string; isFavorite: boolean };

export type FavoriteCalls = {
  save(change: Change): Promise<{ ok: true; totalFavorite: number | null } | { ok: false; message: string }>;
  /** Undefined where no answer came. */
  load(): Promise<FavoriteIds | undefined>;
};

/** Whom a page was made for, and what it knows of what they keep. */
export type FavoritesOfPage = {
  userId: string | null;
  ids: FavoriteIds | undefined;
  /** There are no more than these. */
  isWhole: boolean;
};

type FavoritesOptions = {
  calls: FavoriteCalls;
  /** Of the page that is shown first. */
  first: FavoritesOfPage;
  /** A change did not come through; the heart is as it was before. */
  onRefused: (subject: FavoriteSubject, message: string) => void;
};

/** What was pressed and has not come through yet. */
type Wish = {
  subject: FavoriteSubject;
  isFavorite: boolean;
  timer: ReturnType<typeof setTimeout> | undefined;
  isSending: boolean;
  /** Pressed again while the call before was on its way. */
  isDue: boolean;
};

/** Spec §9, in milliseconds. */
const saveAfter = 350;
const activeFor = 200;

/** Another device may have kept something: looked up again when the page is looked at after so many milliseconds. */
const freshFor = 60_000;

export type Favorites = ReturnType<typeof createFavorites>;

/**
 * What somebody keeps, as the browser knows it: the site's word, and over it what was pressed and is not saved yet. Many
 * quick presses make one call with the last of them; a later one never overtakes an earlier one. No React.
 */
export function createFavorites({ calls, first, onRefused }: FavoritesOptions) {
  const listeners = new Set<() => void>();
  const wishes = new Map<string, Wish>();
  const totals = new Map<string, number>();
  const active = new Map<string, ReturnType<typeof setTimeout>>();
  let known = setsOf(first.ids);
  let balance = noBalance();
  let { userId } = first;
  let isStarted = false;
  // Raised with each user and each save: an answer from before says nothing any more.
  let version = 0;
  let isLoading = false;
  let loadedAt = 0;

  function tell(): void {
    for (const changed of listeners) changed();
  }

  function isFavorite({ contentTypeId, id }: Omit<FavoriteSubject, 'name'>): boolean {
    return wishes.get(id)?.isFavorite ?? known[groupOf(contentTypeId)].has(id);
  }

  function wish(subject: FavoriteSubject, wanted: boolean): void {
    const { id, contentTypeId } = subject;
    if (isFavorite(subject) !== wanted) balance[groupOf(contentTypeId)] += wanted ? 1 : -1;
    const before = wishes.get(id);
    clearTimeout(before?.timer);
    const timer = setTimeout(() => void send(id), saveAfter);
    wishes.set(id, { isSending: false, isDue: false, ...before, subject, isFavorite: wanted, timer });
    clearTimeout(active.get(id));
    active.set(
      id,
      setTimeout(() => {
        active.delete(id);
        tell();
      }, activeFor),
    );
    tell();
  }

  async function send(id: string): Promise<void> {
    const pending = wishes.get(id);
    if (pending === undefined) return;
    clearTimeout(pending.timer);
    pending.timer = undefined;
    if (pending.isSending) {
      pending.isDue = true;
      return;
    }
    pending.isSending = true;
    const { subject, isFavorite: wanted } = pending;
    const { contentTypeId } = subject;
    const of = userId;
    const outcome = await calls.save({ contentTypeId, id, isFavorite: wanted });
    if (of !== userId) return;
    // A press meanwhile put another one in its place.
    const now = wishes.get(id);
    if (now === undefined) return;
    now.isSending = false;
    if (outcome.ok) {
      version += 1;
      const group = known[groupOf(contentTypeId)];
      if (wanted) group.add(id);
      else group.delete(id);
      if (outcome.totalFavorite !== null) totals.set(id, outcome.totalFavorite);
    }
    if (now.isDue) {
      now.isDue = false;
      return send(id);
    }
    if (now.timer === undefined) settle(now, outcome.ok ? undefined : outcome.message);
    tell();
    if (outcome.ok) await reload();
  }

  /** Nothing is pressed any more: the site's word counts again. */
  function settle({ subject, isFavorite: wanted }: Wish, refusal: string | undefined): void {
    wishes.delete(subject.id);
    if (refusal === undefined) return;
    if (isFavorite(subject) !== wanted) balance[groupOf(subject.contentTypeId)] -= wanted ? 1 : -1;
    onRefused(subject, refusal);
  }

  /** Spec §4: after a successful call the user data reloads. Several saves at once reload once. */
  async function reload(): Promise<void> {
    if (isLoading || userId === null) return;
    isLoading = true;
    let asOf: number;
    do {
      asOf = version;
      loadedAt = Date.now();
      const loaded = await calls.load();
      if (asOf === version && loaded !== undefined) known = setsOf(loaded);
    } while (asOf !== version && userId !== null);
    isLoading = false;
    tell();
  }

  return {
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },

    lookOf(subject: Omit<FavoriteSubject, 'name'>): FavoriteLook {
      const look = isFavorite(subject) ? 'on' : 'off';
      return active.has(subject.id) ? `${look}-active` : look;
    },

    /** How many keep it, where a call has told since the page was made. */
    totalOf: (id: string): number | undefined => totals.get(id),

    /** How many more of a group there are than when the user came: for counts that a page was made with. */
    balanceOf: (group: FavoriteGroup): number => balance[group],

    /** @returns whether it is a favourite now */
    toggle(subject: FavoriteSubject): boolean {
      const wanted = !isFavorite(subject);
      wish(subject, wanted);
      return wanted;
    },

    /** What a visitor pressed before the log-in, which may have brought it along. */
    keep(subject: FavoriteSubject): void {
      if (!isFavorite(subject)) wish(subject, true);
    },

    /** Whose page it is, once it is alive and each time it is made anew. What is known of the same user stays. */
    setUser(page: FavoritesOfPage): void {
      const isSame = page.userId === userId;
      if (isSame && isStarted) return;
      isStarted = true;
      if (!isSame) {
        for (const { timer } of wishes.values()) clearTimeout(timer);
        wishes.clear();
        totals.clear();
        balance = noBalance();
        userId = page.userId;
        known = setsOf(page.ids);
        version += 1;
        tell();
      }
      loadedAt = Date.now();
      if (!page.isWhole) void reload();
    },

    /** The page is looked at again. */
    comeBack(): void {
      if (Date.now() - loadedAt > freshFor) void reload();
    },

    /** Sends at once what still waits; settled when all has come through. @returns whether there was anything */
    async flush(): Promise<boolean> {
      if (wishes.size === 0) return false;
      for (const { timer, subject } of wishes.values()) if (timer) void send(subject.id);
      await new Promise<void>((resolve) => {
        const settled = () => {
          if (wishes.size > 0) return;
          listeners.delete(settled);
          resolve();
        };
        listeners.add(settled);
      });
      return true;
    },
  };
}

function setsOf(ids: FavoriteIds | undefined): Record<FavoriteGroup, Set<string>> {
  return Object.fromEntries(favoriteGroups.map((group) => [group, new Set(ids?.[group])])) as Record<
    FavoriteGroup,
    Set<string>
  >;
}

function noBalance(): Record<FavoriteGroup, number> {
  return { audios: 0, voices: 0, categories: 0, playlists: 0, users: 0 };
}
