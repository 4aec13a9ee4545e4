import { type SQL, isNull, sql } from 'drizzle-orm';
import { isPublished } from '../catalogue/audios.ts';
import { isPlaylistPublished } from '../catalogue/playlists.ts';
import { audioCounts, audios, categories, playlists, voices } from '../catalogue/tables.ts';
import { sortKey } from '../kernel/ids.ts';
import type { User } from '../kernel/viewer.ts';
import { users } from '../identity/tables.ts';
import { isKnownUser } from './favorites.ts';
import type { ContentTypeId, FavoriteGroup } from './rules.ts';
import { userPlaylists } from './tables.ts';
import { isOwn, isVisible } from './user-playlists.ts';
import { containing } from '../kernel/like-patterns.ts';

/** The content of one type, joined to `f`, a row of its favorites. */
export type FavoriteSource = {
  contentTypeId: ContentTypeId;
  join: SQL;
  /** Further tables that only sorting and filtering need. */
  listJoin?: SQL;
  isVisible: (viewer: User, ownListsOnly?: boolean) => SQL | undefined;
  /** Sorted by code point. */
  title: SQL;
  filter: {
    /** Columns that are compared with the normalized search text. */
    normalizedColumns: SQL[];
    normalize: (text: string) => string;
    /** Columns that are compared with the search text as typed, except for case. */
    storedColumns: SQL[];
  };
};

/** Without accents and case. */
function toPlainText(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
}

/** The SQL equivalent of `toPlainText`. */
function plainTextSql(text: SQL): SQL {
  return sql`regexp_replace(normalize(lower(${text}), NFKD), '[\u0300-\u036f]', '', 'g')`;
}

/** For content without a sort title of its own. */
function byName(name: SQL): Pick<FavoriteSource, 'title' | 'filter'> {
  return {
    title: sql`lower(${name}) collate "C"`,
    filter: { normalizedColumns: [plainTextSql(name)], normalize: toPlainText, storedColumns: [] },
  };
}

/** Playlists of the site and of users are one group, so it has two sources. */
export const favoriteSources: Record<FavoriteGroup, [FavoriteSource, ...FavoriteSource[]]> = {
  audios: [
    {
      contentTypeId: 'audio',
      join: sql`join ${audios} on ${audios.id} = f.content_id`,
      listJoin: sql`join ${audioCounts} on ${audioCounts.audioId} = f.content_id join ${voices} on ${voices.id} = ${audios.voiceId}`,
      isVisible: () => isPublished,
      title: sql`${audios.sortTitle}`,
      filter: {
        // Sort titles have neither accents nor punctuation.
        normalizedColumns: [sql`${audios.sortTitle}`, sql`${voices.sortName}`],
        normalize: sortKey,
        storedColumns: [sql`${audios.title}`, sql`${voices.name}`],
      },
    },
  ],
  voices: [
    {
      contentTypeId: 'voice',
      join: sql`join ${voices} on ${voices.id} = f.content_id`,
      isVisible: () => isNull(voices.hiddenAt),
      title: sql`${voices.sortName}`,
      filter: {
        normalizedColumns: [sql`${voices.sortName}`],
        normalize: sortKey,
        storedColumns: [sql`${voices.name}`],
      },
    },
  ],
  categories: [
    {
      contentTypeId: 'category',
      join: sql`join ${categories} on ${categories.id} = f.content_id`,
      isVisible: () => isNull(categories.hiddenAt),
      ...byName(sql`${categories.label}`),
    },
  ],
  playlists: [
    {
      contentTypeId: 'playlist',
      join: sql`join ${playlists} on ${playlists.id} = f.content_id`,
      isVisible: () => isPlaylistPublished,
      ...byName(sql`${playlists.title}`),
    },
    {
      contentTypeId: 'userPlaylist',
      join: sql`join ${userPlaylists} on ${userPlaylists.id} = f.content_id join ${users} on ${users.id} = ${userPlaylists.userId}`,
      isVisible: (viewer, ownListsOnly) => (ownListsOnly ? isOwn(viewer) : isVisible(viewer)),
      ...byName(sql`${userPlaylists.title}`),
    },
  ],
  users: [
    {
      contentTypeId: 'user',
      join: sql`join ${users} on ${users.id} = f.content_id`,
      isVisible: isKnownUser,
      ...byName(sql`${users.username}`),
    },
  ],
};

/** SQL condition: a name contains the search text. Undefined for an empty text, which matches everything. */
export function matchesFilter({ filter }: FavoriteSource, text: string | undefined): SQL | undefined {
  const typed = (text ?? '').trim();
  if (typed === '') return undefined;
  const normalized = filter.normalize(typed);
  const conditions = filter.storedColumns.map((column) => sql`${column} ilike ${containing(typed)}`);
  // Punctuation alone leaves nothing to compare.
  if (normalized !== '')
    conditions.unshift(...filter.normalizedColumns.map((column) => sql`${column} like ${containing(normalized)}`));
  return conditions.length === 0 ? sql`false` : sql`(${sql.join(conditions, sql` or `)})`;
}
