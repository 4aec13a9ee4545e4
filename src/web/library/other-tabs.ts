import { t } from '@lingui/core/macro';
import type { FavoriteTotals } from '#domain/library/favorite-lists.ts';

/**
 * The Library's tabs, for its pages with addresses of their own. Written out here, because sharing `library-tabs.ts`
 * would add a file to the Library's first load.
 */
export function otherTabs(
  current: 'mixes' | 'moments' | 'downloads',
  counts: Partial<FavoriteTotals> & { moments?: number | undefined } = {},
) {
  const tabs: [label: string, of: keyof typeof counts | undefined, to: string][] = [
    [t`Audios`, 'audios', ''],
    [t`Creators`, 'voices', '?tab=voices'],
    [t`Categories`, 'categories', '?tab=categories'],
    [t`Playlists`, 'playlists', '?tab=playlists'],
    [t`Listeners`, 'users', '?tab=users'],
    [t`Your playlists`, 'ownPlaylists', '?tab=own'],
    [t`Mixes`, 'mixes', '/mixes'],
    [t`Moments`, 'moments', '/moments'],
    [t`Downloads`, undefined, '/downloads'],
  ];
  return tabs.map(([label, of, to]) => ({
    label,
    count: of && counts[of],
    to: `/library${to}`,
    isCurrent: to === `/${current}`,
  }));
}
