import { createListeners } from '#player/listeners.ts';
import type { FavoriteIds } from '#domain/library/favorites.ts';
import { type ContentTypeId, type FavoriteGroup, favoriteGroups, groupOf } from '#domain/library/rules.ts';

export type FavoriteSubject = { contentTypeId: ContentTypeId; id: string; name: string };

/** Look of a heart button: `…-active` for the 200 ms after a press. */
export type FavoriteState = 'off' | 'on' | 'off-active' | 'on-active';

type Change = { contentTypeId: ContentTypeId; id: string; isFavorite: boolean };

export type FavoriteCalls = {
  save(change: Change): Promise<{ ok: true; totalFavorite: number | null } | { ok: false; message: string }>;
  /** Undefined when the call failed. */
  load(): Promise<FavoriteIds | undefined>;
};

/** User of a page, and the favorites that the page’s data contains. */
export type FavoritesOfPage = {
  userId: string | null;
  ids: FavoriteIds | undefined;
  isWhole: boolean;
};

type FavoritesOptions = {
  calls: FavoriteCalls;
  first: FavoritesOfPage;
  /** A change was refused; the heart is back in its previous state. @param wanted the state that was refused */
  onRefused: (subject: FavoriteSubject, wanted: boolean, message: string) => void;
};

/** Optimistic change, not confirmed yet. */
type PendingChange = {
  subject: FavoriteSubject;
  isFavorite: boolean;
  timer: ReturnType<typeof setTimeout> | undefined;
  isSending: boolean;
  /** Pressed again while the previous call was running. */
  isDue: boolean;
};

/** Spec §9, in milliseconds. */
const saveAfter = 350;
const activeFor = 200;

/** Returning to the page after this many milliseconds reloads the favorites: another device may have changed them. */
const freshFor = 60_000;
/** Milliseconds from the request of a page's data until the page is shown, on a slow phone. */
const pageLoadMs = 5000;

export type Favorites = ReturnType<typeof createFavorites>;

/**
 * The user’s favorites in the browser: the site’s data, overlaid with unsaved presses. Quick presses make one call with
 * the last state; calls for one item never overlap. No React.
 */
export function createFavorites({ calls, first, onRefused }: FavoritesOptions) {
  const { subscribe, emit } = createListeners();
  const pendingChanges = new Map<string, PendingChange>();
  const totals = new Map<string, number>();
  let savedAt = Number.NEGATIVE_INFINITY;
  const active = new Map<string, ReturnType<typeof setTimeout>>();
  let saved = setsOf(first.ids);
  let balance = noBalance();
  let { userId } = first;
  let isStarted = false;
  // Incremented with each user and each save: responses of older requests are ignored.
  let version = 0;
  let isLoading = false;
  let loadedAt = 0;

  function isFavorite({ contentTypeId, id }: Omit<FavoriteSubject, 'name'>): boolean {
    return pendingChanges.get(id)?.isFavorite ?? saved[groupOf(contentTypeId)].has(id);
  }

  function change(subject: FavoriteSubject, wanted: boolean): void {
    const { id, contentTypeId } = subject;
    if (isFavorite(subject) !== wanted) balance[groupOf(contentTypeId)] += wanted ? 1 : -1;
    const before = pendingChanges.get(id);
    clearTimeout(before?.timer);
    const timer = setTimeout(() => void send(id), saveAfter);
    pendingChanges.set(id, { isSending: false, isDue: false, ...before, subject, isFavorite: wanted, timer });
    clearTimeout(active.get(id));
    active.set(
      id,
      setTimeout(() => {
        active.delete(id);
        emit();
      }, activeFor),
    );
    emit();
  }

  async function send(id: string): Promise<void> {
    const pending = pendingChanges.get(id);
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
    const requestedFor = userId;
    const outcome = await calls.save({ contentTypeId, id, isFavorite: wanted });
    if (requestedFor !== userId) return;
    // A press during the call replaced the pending change.
    const now = pendingChanges.get(id);
    if (now === undefined) return;
    now.isSending = false;
    if (outcome.ok) {
      savedAt = Date.now();
      version += 1;
      const group = saved[groupOf(contentTypeId)];
      if (wanted) group.add(id);
      else group.delete(id);
      if (outcome.totalFavorite !== null) totals.set(id, outcome.totalFavorite);
    }
    if (now.isDue) {
      now.isDue = false;
      return send(id);
    }
    if (now.timer === undefined) settle(now, outcome.ok ? undefined : outcome.message);
    emit();
    if (outcome.ok) await reload();
  }

  /** Drops the pending change: the site’s data counts again. */
  function settle({ subject, isFavorite: wanted }: PendingChange, refusal: string | undefined): void {
    pendingChanges.delete(subject.id);
    if (refusal === undefined) return;
    if (isFavorite(subject) !== wanted) balance[groupOf(subject.contentTypeId)] -= wanted ? 1 : -1;
    onRefused(subject, wanted, refusal);
  }

  /** Spec §4: the user data reloads after a successful call. Simultaneous saves reload once. */
  async function reload(): Promise<void> {
    if (isLoading || userId === null) return;
    isLoading = true;
    let asOf: number;
    do {
      asOf = version;
      loadedAt = Date.now();
      const loaded = await calls.load();
      if (asOf === version && loaded !== undefined) saved = setsOf(loaded);
    } while (asOf !== version && userId !== null);
    isLoading = false;
    emit();
  }

  return {
    subscribe,

    stateOf(subject: Omit<FavoriteSubject, 'name'>): FavoriteState {
      const look = isFavorite(subject) ? 'on' : 'off';
      return active.has(subject.id) ? `${look}-active` : look;
    },

    /** Number of users with this favorite, if a call has returned it since the page loaded. */
    totalOf: (id: string): number | undefined => totals.get(id),

    /** Change in a group’s size since the user’s data first loaded, to correct counts in the page’s data. */
    balanceOf: (group: FavoriteGroup): number => balance[group],

    /** @returns whether it is a favorite now */
    toggle(subject: FavoriteSubject): boolean {
      const wanted = !isFavorite(subject);
      change(subject, wanted);
      return wanted;
    },

    /** For a visitor’s press before the log-in: the account may already have the favorite. */
    keep(subject: FavoriteSubject): void {
      if (!isFavorite(subject)) change(subject, true);
    },

    /** Sets the user: at hydration and after each reload of the data. Data of the same user is kept. */
    setUser(page: FavoritesOfPage): void {
      const isSame = page.userId === userId;
      if (isSame && isStarted) return;
      isStarted = true;
      if (!isSame) {
        for (const { timer } of pendingChanges.values()) clearTimeout(timer);
        pendingChanges.clear();
        totals.clear();
        balance = noBalance();
        userId = page.userId;
        saved = setsOf(page.ids);
        version += 1;
        emit();
      }
      loadedAt = Date.now();
      if (!page.isWhole) void reload();
    },

    comeBack(): void {
      if (Date.now() - loadedAt > freshFor) void reload();
    },

    /**
     * Sends pending changes at once; resolves when all are answered.
     * @returns whether there were any, or one was answered a moment ago: data loaded meanwhile may lack it
     */
    async flush(): Promise<boolean> {
      if (pendingChanges.size === 0) return Date.now() - savedAt < pageLoadMs;
      for (const { timer, subject } of pendingChanges.values()) if (timer) void send(subject.id);
      await new Promise<void>((resolve) => {
        const stop = subscribe(() => {
          if (pendingChanges.size > 0) return;
          stop();
          resolve();
        });
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
