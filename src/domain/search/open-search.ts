import type { AudioFilter } from '../catalogue/forms.ts';
import { bind } from '../kernel/bind.ts';
import type { Db } from '../kernel/db.ts';
import type { Viewer } from '../kernel/viewer.ts';
import { featureSetting } from '../settings/features.ts';
import type { Settings } from '../settings/open-settings.ts';
import { findListed, wordSetting } from '../settings/word-lists.ts';
import { purgeOldChanges } from './changes.ts';
import { countSearchFilters } from './count-filters.ts';
import type { SearchGroup } from './forms.ts';
import { excerptClientOf, purgeOldExcerpts } from './transcript-excerpts.ts';
import * as recentTerms from './recent-terms.ts';
import { askForRebuild } from './feeds.ts';
import { findResults } from './results.ts';
import type { SearchIndex } from './search-index.ts';
import { type SearchQuery, search } from './search.ts';

/** @param deps.secret key of the stored hashes of clients */
export function openSearch({
  db,
  secret,
  index,
  settings,
}: {
  db: Db;
  secret: string;
  index: SearchIndex;
  settings: Settings;
}) {
  const listOff = (): SearchGroup[] => (settings.read(featureSetting).userPlaylists ? [] : ['usersPlaylists']);
  const isRefused = (term: string) => findListed(term, settings.read(wordSetting).refused).length > 0;
  const parts = { db, index, listOff, isRefused };
  return {
    ...bind(db, { ...recentTerms, purgeOldChanges, purgeOldExcerpts }),
    /** Suggestions while someone types. @param address client address that transcript lines are counted for */
    search: (viewer: Viewer, query: Omit<SearchQuery, 'client'>, address: string) =>
      search(parts, viewer, { ...query, client: excerptClientOf(secret, viewer, address) }),
    /** Adds everything that pages show about their hits. */
    findResults: (viewer: Viewer, query: Omit<SearchQuery, 'client'>, address: string) =>
      findResults(parts, viewer, { ...query, client: excerptClientOf(secret, viewer, address) }),
    /** The filters of what a term finds. */
    countFilters: (viewer: Viewer, query: { term: string; filter: AudioFilter }) =>
      countSearchFilters(parts, viewer, query),
    /** The operators' text for a search that is refused; empty without one, undefined for other searches. */
    helpFor: (term: string): string | undefined =>
      isRefused(term)
        ? (settings.words.find('words', 'refused', 'help') ?? settings.read(wordSetting).help)
        : undefined,
    state: () => index.state(),
    /** A job begins within a minute. @throws DomainError `search/rebuild-running` */
    rebuild: () => askForRebuild(db, index.feed),
    rebuildIfAsked: (signal?: AbortSignal) => index.rebuildIfAsked(signal),
    refreshPlays: () => index.refreshPlays(),
    /** Hint that something may have changed. */
    catchUp: () => index.catchUp(),
  };
}
