import { z } from 'zod';
import { bind } from '../kernel/bind.ts';
import type { Db } from '../kernel/db.ts';
import type { Viewer } from '../kernel/viewer.ts';
import { featureSetting } from '../settings/features.ts';
import type { Settings } from '../settings/open-settings.ts';
import type { Setting } from '../settings/setting.ts';
import { siteSettings } from '../settings/tables.ts';
import { purgeOldChanges } from './changes.ts';
import type { SearchGroup } from './forms.ts';
import { excerptClientOf, purgeOldExcerpts } from './transcript-excerpts.ts';
import * as recentTerms from './recent-terms.ts';
import { claimRebuild, holdRebuild, isRebuilding } from './rebuilds.ts';
import { findResults } from './results.ts';
import type { SearchIndex } from './search-index.ts';
import { type SearchQuery, search } from './search.ts';

/** When an operator last requested a rebuild of the index. */
const rebuildSetting = {
  key: 'search-rebuild',
  schema: z.object({ askedAt: z.string().default(''), claim: z.uuid().optional() }),
} satisfies Setting;

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
  const parts = { db, index, listOff };
  // At the start the index is built anyway.
  let rebuiltFor = settings.read(rebuildSetting).askedAt;
  return {
    ...bind(db, { ...recentTerms, purgeOldChanges, purgeOldExcerpts }),
    /** Suggestions while someone types. @param address client address that transcript lines are counted for */
    search: (viewer: Viewer, query: Omit<SearchQuery, 'client'>, address: string) =>
      search(parts, viewer, { ...query, client: excerptClientOf(secret, viewer, address) }),
    /** Adds everything that pages show about their hits. */
    findResults: (viewer: Viewer, query: Omit<SearchQuery, 'client'>, address: string) =>
      findResults(parts, viewer, { ...query, client: excerptClientOf(secret, viewer, address) }),
    isReady: () => index.isReady,
    /** A rebuild in any process counts. */
    async state() {
      const state = await index.state();
      return { ...state, isBuilding: state.isBuilding || (await isRebuilding(db)) };
    },
    /**
     * Tells every process to rebuild its index: the change feed makes them read the settings.
     * @throws DomainError `search/rebuild-running`
     */
    async rebuild(): Promise<void> {
      await db.transaction(async (tx) => {
        const value = { askedAt: new Date().toISOString(), claim: await claimRebuild(tx) };
        const row = { key: rebuildSetting.key, value };
        await tx.insert(siteSettings).values(row).onConflictDoUpdate({ target: siteSettings.key, set: { value } });
      });
    },
    /** Call after the settings were read again. */
    async rebuildIfAsked(): Promise<void> {
      const { askedAt, claim } = settings.read(rebuildSetting);
      if (askedAt === rebuiltFor) return;
      const before = rebuiltFor;
      rebuiltFor = askedAt;
      await holdRebuild(db, () => index.rebuild(), claim).catch(() => {
        // The database was away: the next reading of the settings tries again.
        rebuiltFor = before;
      });
    },
    prepare: () => index.prepare(),
    /** Hint that something may have changed. */
    catchUp: () => index.catchUp(),
  };
}
