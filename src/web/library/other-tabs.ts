import { t } from '@lingui/core/macro';
import type { FavoriteTotals } from '#domain/library/favorite-lists.ts';

/**
 * The Library's own tabs, for its pages with addresses of their own. Written out here, because sharing `library-tabs.ts`
 * would add a file to the Library's first load.
 */
export function otherTabs(totals?: FavoriteTotals) {
  const tabs: [label: string, of: keyof FavoriteTotals, search: string][] = [
    [t`Audios`, 'audios', ''],
    [t`Creators`, 'voices', '?tab=voices'],
    [t`Categories`, 'categories', '?tab=categories'],
    [t`Playlists`, 'playlists', '?tab=playlists'],
    [t`Listeners`, 'users', '?tab=users'],
    [t`Your playlists`, 'ownPlaylists', '?tab=own'],
  ];
  return tabs.map(([label, of, search]) => ({ label, count: totals?.[of], to: `/library${search}`, isCurrent: false }));
}
