import type { AvatarColor } from '../identity/rules.ts';
import type { PlaylistBackground, PlaylistFont } from '../library/rules.ts';
import type { SearchGroup } from './forms.ts';

/** Fields of a hit that lists show. */
export type SearchHits = {
  audios: {
    id: string;
    slug: string;
    title: string;
    imageUrl: string | null;
    color: string | null;
    /** Seconds. */
    numberDuration: number;
    voice: { id: string; name: string; slug: string };
  };
  categories: { id: string; slug: string; label: string; imageUrl: string | null; color: string | null };
  playlists: {
    id: string;
    slug: string;
    title: string;
    /** Ids, in order of appearance. */
    voices: string[];
    /** Portraits for the cover, at most four. */
    voiceImages: string[];
    totalAudios: number;
  };
  voices: {
    id: string;
    slug: string;
    name: string;
    imageURL: string | null;
    color: string | null;
    voiceTypeLabel: string;
    category: { name: string; slug: string } | null;
    linkedSeries: { slug: string } | null;
  };
  series: {
    id: string;
    slug: string;
    title: string;
    imageUrl: string | null;
    color: string | null;
    voice: { id: string; name: string; slug: string } | null;
    totalAudios: number;
  };
  users: { id: string; username: string; icon: string | null; color: AvatarColor };
  usersPlaylists: {
    id: string;
    title: string;
    background: PlaylistBackground;
    font: PlaylistFont;
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
    /** Creator or owner; weighs less. */
    by: string;
    /** Tags and categories; weighs less again. */
    labels: string;
    /** Description; weighs least. */
    text: string;
    /** Among equal matches the most played comes first. */
    plays: number;
    /** Milliseconds; found from then on. Null: always. */
    publishedAt: number | null;
    /** Owner of listeners' content: those who blocked them do not find it. */
    ownerId: string | null;
    /** Viewers who hide one of these tags do not find it. */
    tagIds: string[];
    /** An audio that is free to all. */
    isFree: boolean;
    hit: SearchHits[Group];
  };
}[SearchGroup];

/** Ids that a viewer blocks or hides: excluded from all groups and totals. */
export type Hidden = { userIds: string[]; tagIds: string[] };

export type IndexQuery = {
  /** From `SearchTerm`; not empty. */
  term: string;
  /** Requested hits per group; other groups get totals only. */
  ranges: Ranges;
  hidden: Hidden;
  /** Only audios that are free to all; the other groups are empty. */
  onlyFree: boolean;
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

/** Answers queries. Both implementations get the same documents (decision 016). */
export type IndexState = {
  engine: 'built-in' | 'algolia';
  /** Undefined when only the external service knows. */
  documents: number | undefined;
  isBuilding: boolean;
  /** Entries so far of the index that replaces this one; undefined when none is built, or the number is not known. */
  built?: number | undefined;
};

export type SearchIndex = {
  find(query: IndexQuery): Promise<IndexResponse>;
  /** Everything is indexed. */
  readonly isReady: boolean;
  /** Builds the index if missing. Never rejects: the next query retries and reports the failure. */
  prepare(): Promise<void>;
  /** Hint that something changed: read it now instead of with the next query. Never rejects. */
  catchUp(): Promise<void>;
  /** Rebuilds the index; the current one answers until then. */
  rebuild(): Promise<void>;
  /** State of the index, as this process knows it. */
  state(): IndexState | Promise<IndexState>;
};
