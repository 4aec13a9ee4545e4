import type { Audio } from '../catalogue/audios.ts';
import type { Category } from '../catalogue/categories.ts';
import type { Playlist } from '../catalogue/playlists.ts';
import type { Series } from '../catalogue/series.ts';
import type { Voice } from '../catalogue/voices.ts';
import type { AvatarColor } from '../identity/rules.ts';
import type { UserPlaylist } from '../library/user-playlists.ts';
import { type SearchGroup, searchGroups } from './forms.ts';

type VoiceLink = Pick<Audio['voice'], 'id' | 'name' | 'slug'>;

/** Fields of a hit that lists show. */
export type SearchHits = {
  audios: Pick<Audio, 'id' | 'slug' | 'title' | 'imageUrl' | 'color' | 'numberDuration'> & { voice: VoiceLink };
  categories: Pick<Category, 'id' | 'slug' | 'label' | 'imageUrl' | 'color'>;
  playlists: Pick<Playlist, 'id' | 'slug' | 'title' | 'voices' | 'voiceImages' | 'totalAudios'>;
  voices: Pick<Voice, 'id' | 'slug' | 'name' | 'imageURL' | 'color' | 'voiceTypeLabel' | 'linkedSeries'> & {
    /** `id`: absent in what was indexed by earlier versions, and in answers. */
    category: (NonNullable<Voice['category']> & { id?: string }) | null;
  };
  series: Pick<Series, 'id' | 'slug' | 'title' | 'imageUrl' | 'color' | 'totalAudios'> & { voice: VoiceLink | null };
  users: { id: string; username: string; icon: string | null; color: AvatarColor };
  usersPlaylists: Pick<UserPlaylist, 'id' | 'title' | 'background' | 'font'> & {
    user: { id: string; username: string };
  };
};

/** A searchable document, the same for every index. */
export type SearchDocument = {
  [Group in SearchGroup]: {
    group: Group;
    /** Its id; for listeners' own content a digest of it (`search_changes`). */
    key: string;
    /** Title, name or label: a match in it weighs most. */
    name: string;
    /** Creator or owner, and those credited; weighs less. */
    by: string;
    /** Tags and categories; weighs less again. */
    labels: string;
    /** Description; weighs least. */
    text: string;
    /** Among equal matches the most played comes first. */
    plays: number;
    /** Milliseconds; found from then on. Null: always. */
    publishedAt: number | null;
    /** Owner of listeners' content, or creator: those who blocked or hide them do not find it. */
    ownerId: string | null;
    /** Viewers who hide one of these tags do not find it. */
    tagIds: string[];
    /** Primary subtag of an audio's language; empty for other groups. */
    language: string;
    /** An audio that is free to all. */
    isFree: boolean;
    /** Further ones of an audio, as `propertiesSql` writes them. */
    properties: string[];
    hit: SearchHits[Group];
  };
}[SearchGroup];

/**
 * Ids that a viewer blocks or hides: excluded from all groups and totals. `languages`: primary subtags of the audios that
 * are found; absent: all.
 */
export type Hidden = {
  userIds: string[];
  voiceIds: string[];
  audioIds: string[];
  tagIds: string[];
  languages?: string[];
};

export type IndexQuery = {
  /** From `SearchTerm`; not empty. */
  term: string;
  /** Requested hits per group; other groups get totals only. */
  ranges: Ranges;
  hidden: Hidden;
  /** Only audios that are free to all; the other groups are empty. */
  onlyFree: boolean;
  /** Default: any audio. */
  wanted?: WantedAudios;
};

/** A value of a field of documents. */
export type Property = { field: 'tagIds' | 'language' | 'properties'; value: string };

export type WantedAudios = {
  /** One of each list. */
  all: Property[][];
  /** None of these tags. */
  noTagIds: string[];
  /** Words that no field has; only the built-in index looks for them. */
  noWords: string[];
};

/** Counted from 0. */
export type Ranges = Partial<Record<SearchGroup, { from: number; length: number }>>;

export type IndexResponse = {
  [Group in SearchGroup]: {
    total: number;
    hits: SearchHits[Group][];
    /** Nothing matches as typed: the hits have similar words, or most of the words. */
    isLoose: boolean;
  };
};

/** @param found groups by their place in `searchGroups`; the others are empty */
export function responseOf(found: { kind: number; total: number; hits: unknown[] }[], isLoose = false): IndexResponse {
  const groups = searchGroups.map((group, kind) => {
    const { total = 0, hits = [] } = found.find((one) => one.kind === kind) ?? {};
    return [group, { total, hits, isLoose }];
  });
  return Object.fromEntries(groups) as IndexResponse;
}

export type IndexState = {
  engine: 'built-in' | 'algolia';
  /** Undefined when only the external service knows. */
  documents: number | undefined;
  /** A rebuild is asked for, or runs in any process. */
  isBuilding: boolean;
  /** Entries that a running rebuild has written; undefined when none runs, or the number is not known. */
  built?: number | undefined;
};

/** Answers queries. Both implementations get the same documents (decision 068). */
export type SearchIndex = {
  /** Its name in `search_feeds`. */
  readonly feed: string;
  find(query: IndexQuery): Promise<IndexResponse>;
  /** Hint that something changed: write it now instead of with the next query. Never rejects. */
  catchUp(): Promise<void>;
  /** Rebuilds the index if that was asked for (`askForRebuild`); the old documents answer until then. */
  rebuildIfAsked(signal?: AbortSignal): Promise<{ documents?: number }>;
  /** Brings the plays of what was lately played up to date; they only break ties. */
  refreshPlays(): Promise<void>;
  state(): Promise<IndexState>;
};
