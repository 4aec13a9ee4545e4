import type { PlaylistBackground, PlaylistFont } from '../library/rules.ts';
import type { SearchGroup } from './forms.ts';

/** What is shown of a hit, before its own page is asked for. */
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
  users: { id: string; username: string; icon: string | null; color: number };
  usersPlaylists: {
    id: string;
    title: string;
    background: PlaylistBackground;
    font: PlaylistFont;
    user: { id: string; username: string };
  };
};

/** Something that can be found, as every index is told of it. */
export type SearchDocument = {
  [Group in SearchGroup]: {
    group: Group;
    /** Its id; of what is a listener's own a digest of it (`search_changes`). */
    key: string;
    /** Title, name or label: a match in it weighs most. */
    name: string;
    /** Who made it; weighs less. */
    by: string;
    /** Tags and categories; weighs less again. */
    labels: string;
    /** Description; weighs least. */
    text: string;
    /** Among equal matches the most played comes first. */
    plays: number;
    /** Milliseconds; found from then on. Null: always. */
    publishedAt: number | null;
    /** Of a listener's own: whoever blocked them does not find it. */
    ownerId: string | null;
    /** Whoever leaves one of these out does not find it. */
    tagIds: string[];
    hit: SearchHits[Group];
  };
}[SearchGroup];

/** What a listener does not want to meet: in no group and in no total. Ids. */
export type LeftOut = { userIds: string[]; tagIds: string[] };

export type IndexQuery = {
  /** As `SearchTerm` leaves it; not empty. */
  term: string;
  /** Which hits are wanted; of the other groups only totals. */
  ranges: Ranges;
  leftOut: LeftOut;
};

/** Counted from 0. */
export type Ranges = Partial<Record<SearchGroup, { from: number; length: number }>>;

export type IndexAnswer = {
  [Group in SearchGroup]: {
    total: number;
    hits: SearchHits[Group][];
    /** Nothing has all the words: these have most of them. */
    isPartial: boolean;
  };
};

/** Knows what can be found. Either of them is told of the same documents (decision 016). */
export type SearchIndex = {
  find(query: IndexQuery): Promise<IndexAnswer>;
  /** Makes the index where there is none yet. Never rejects: the next question tries again, and tells of it. */
  prepare(): Promise<void>;
  /** Something may have changed: read it now rather than with the next question. Never rejects. */
  catchUp(): Promise<void>;
};
