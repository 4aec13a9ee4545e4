import {
  bigint,
  boolean,
  customType,
  date,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  text,
  timestamp,
  uuid,
} from 'drizzle-orm/pg-core';
import type { SoundFacts } from '../gateways.ts';
import type { Chapter } from './chapter-rules.ts';
import {
  type CommentHold,
  type CommentOrder,
  type Commenters,
  type Cue,
  type FacetChoice,
  type License,
  type SyntheticVoice,
  type VoiceLink,
  eachAudioText,
} from './rules.ts';
import type { ReturnReason, ReviewCause, ReviewDecision, ReviewState } from './review/rules.ts';

const bytea = customType<{ data: Buffer; driverData: Buffer }>({ dataType: () => 'bytea' });
const id = uuid().primaryKey();
const createdAt = timestamp({ withTimezone: true, precision: 3 }).notNull().defaultNow();
const updatedAt = timestamp({ withTimezone: true, precision: 3 }).notNull().defaultNow();

export const categories = pgTable('categories', {
  id,
  slug: text().notNull(),
  label: text().notNull(),
  description: text().notNull().default(''),
  imageKey: text(),
  color: text(),
  position: integer().notNull().default(0),
  /** Hidden from listeners since. */
  hiddenAt: timestamp({ withTimezone: true, precision: 3 }),
  /** Can be undone for 30 days; hidden meanwhile, by a check of the database. */
  deletedAt: timestamp({ withTimezone: true, precision: 3 }),
  /** The `hiddenAt` that undo restores. */
  hiddenAtDeletion: timestamp({ withTimezone: true, precision: 3 }),
  /** Small, for the keys of filters. */
  number: integer().notNull().generatedByDefaultAsIdentity(),
  createdAt,
});

export const voices = pgTable('voices', {
  id,
  slug: text().notNull(),
  name: text().notNull(),
  sortName: text().notNull(),
  voiceTypeLabel: text().notNull(),
  bio: text().notNull().default(''),
  /** BCP 47; the choice for new audios. */
  language: text().notNull().default('en'),
  imageKey: text(),
  color: text(),
  categoryId: uuid().references(() => categories.id),
  linkedSeriesId: uuid(),
  /** Hidden from listeners since, with its audios. */
  hiddenAt: timestamp({ withTimezone: true, precision: 3 }),
  /** The same time, when the desk has hidden it. */
  withheldAt: timestamp({ withTimezone: true, precision: 3 }),
  /** Can be undone for 30 days; hidden meanwhile, by a check of the database. */
  deletedAt: timestamp({ withTimezone: true, precision: 3 }),
  /** The `hiddenAt` that undo restores. */
  hiddenAtDeletion: timestamp({ withTimezone: true, precision: 3 }),
  /** The voice that this one was merged into; its address redirects there. */
  mergedInto: uuid(),
  /** Choice for new audios. */
  commenters: text().$type<Commenters>().notNull().default('everyone'),
  /** Comments wait until somebody of the voice shows them: those with links, and those of `commentHold` (`voiceHold`). */
  holdsLinks: boolean().notNull().default(false),
  commentHold: text().$type<'unkind' | 'all'>(),
  /** The creator's own words, which hold a comment in any case. */
  heldWords: text().array().notNull().default([]),
  /** Nobody but the voice's people writes comments until then. */
  commentsPausedUntil: timestamp({ withTimezone: true, precision: 3 }),
  commentOrder: text().$type<CommentOrder>().notNull().default('newest'),
  /** In display order. */
  links: jsonb().$type<VoiceLink[]>().notNull().default([]),
  /** Creators whom this one recommends, in display order. */
  recommendedIds: uuid().array().notNull().default([]),
  /** License of its free audios. */
  license: text().$type<License | ''>().notNull().default(''),
  /** Proves to podcast directories that the feed is the creator's. */
  directoryText: text().notNull().default(''),
  /** Listeners can tip the creator, where the site offers it. */
  takesTips: boolean().notNull().default(false),
  /** Shown to whoever has given a tip. */
  tipThanks: text().notNull().default(''),
  /** Audios of their own that speak to the listeners of private feeds. */
  welcomeAudioId: uuid(),
  paymentAudioId: uuid(),
  farewellAudioId: uuid(),
  /** Listeners may share parts of its free audios. */
  allowsClips: boolean().notNull().default(true),
  createdAt,
  updatedAt,
});

export const voiceCounts = pgTable('voice_counts', {
  voiceId: uuid()
    .primaryKey()
    .references(() => voices.id),
  favorites: integer().notNull().default(0),
});

/** See `totals.ts`. */
export const catalogueTotals = pgTable(
  'catalogue_totals',
  {
    kind: text().$type<'all' | 'voice' | 'category' | 'tag'>().notNull(),
    subjectId: uuid().notNull(),
    audios: integer().notNull(),
    durationMs: bigint({ mode: 'number' }).notNull(),
    plays: bigint({ mode: 'number' }).notNull(),
    topTags: jsonb().$type<{ tagId: string; audios: number }[]>().notNull().default([]),
    /** By primary subtag. */
    languages: jsonb()
      .$type<Record<string, { audios: number; durationMs: number; plays: number }>>()
      .notNull()
      .default({}),
  },
  (table) => [primaryKey({ columns: [table.kind, table.subjectId] })],
);

/** See `sitemap-entries.ts`. */
export const sitemapCuts = pgTable('sitemap_cuts', { kind: text().notNull(), before: text().notNull() }, (table) => [
  primaryKey({ columns: [table.kind, table.before] }),
]);

export const audios = pgTable('audios', {
  id,
  slug: text().notNull(),
  title: text().notNull(),
  /** `sortKey(title)`, compared by code point so that A–Z pages are stable on every machine. */
  sortTitle: text().notNull(),
  description: text().notNull().default(''),
  voiceId: uuid()
    .notNull()
    .references(() => voices.id),
  imageKey: text(),
  color: text(),
  ...eachAudioText(() => text()),
  /** BCP 47; `zxx` for sound without words. */
  language: text().notNull().default('en'),
  syntheticVoice: text().$type<SyntheticVoice>().notNull().default('none'),
  /** Nobody may comment, and comments are not shown. */
  commentsDisabled: boolean().notNull().default(false),
  /** Kept while comments are off, for when they are on again. */
  commentsForSubscribers: boolean().notNull().default(false),
  /** Null: as the voice has it. */
  commentHold: text().$type<CommentHold>(),
  /** Beside the voice's own; the later one counts. */
  commentsPausedUntil: timestamp({ withTimezone: true, precision: 3 }),
  isFree: boolean().notNull().default(false),
  /** A performer has not agreed to downloads. */
  isStreamOnly: boolean().notNull().default(false),
  fileKey: text().notNull(),
  fileMime: text().notNull(),
  fileBytes: bigint({ mode: 'number' }).notNull(),
  durationMs: integer().notNull(),
  /** Null: a draft. In the future: scheduled. */
  publishedAt: timestamp({ withTimezone: true, precision: 3 }),
  /** First publication, restored when a draft is published again. */
  firstPublishedAt: timestamp({ withTimezone: true, precision: 3 }),
  /** Can be undone for 30 days; `publishedAt` is null meanwhile, by a check of the database. */
  deletedAt: timestamp({ withTimezone: true, precision: 3 }),
  /** The `publishedAt` that undo restores. */
  publishedAtDeletion: timestamp({ withTimezone: true, precision: 3 }),
  /** The `publishedAt` that triggers restore when the voice, or the audio itself, is shown again. */
  publishedWhileHidden: timestamp({ withTimezone: true, precision: 3 }),
  /** It is not public meanwhile. */
  reviewState: text().$type<ReviewState>(),
  /** Since its last publication or approval. */
  hasNewSound: boolean().notNull().default(false),
  /** The desk has hidden it; `publishedWhileHidden` has the date meanwhile. */
  withheldAt: timestamp({ withTimezone: true, precision: 3 }),
  createdAt,
  updatedAt,
});

/** Each time that an audio was sent for review; one without a decision waits (decision 075). */
export const reviews = pgTable('reviews', {
  id,
  audioId: uuid().notNull(),
  cause: text().$type<ReviewCause>().notNull(),
  /** `new-creator`: which of the voice's audios it is, from one. */
  nth: smallint(),
  /** Key of the file that is reviewed; it may be gone later. */
  sound: text().notNull(),
  sentAt: timestamp({ withTimezone: true, precision: 3 }).notNull().defaultNow(),
  sentBy: uuid(),
  /** Chosen time of publication; null: at once. */
  publishAt: timestamp({ withTimezone: true, precision: 3 }),
  decision: text().$type<ReviewDecision>(),
  decidedAt: timestamp({ withTimezone: true, precision: 3 }),
  decidedBy: uuid(),
  reasonKind: text().$type<ReturnReason>(),
  /** The sentence of `reasonKind` comes first, in the language of its reader. */
  canned: boolean().notNull().default(false),
  /** Own words; may be empty with `canned`. */
  reason: text(),
  /** BCP 47, of these words. */
  reasonLanguage: text(),
  field: text(),
  /** Watched words that the reviewer saw. */
  words: text().array().notNull().default([]),
  heardMs: integer(),
});

/** Former slugs, written by triggers; none of them is the current slug of an audio. */
export const formerSlugs = pgTable('former_slugs', { slug: text().primaryKey(), audioId: uuid().notNull() });

/** The same for voices. */
export const formerVoiceSlugs = pgTable('former_voice_slugs', { slug: text().primaryKey(), voiceId: uuid().notNull() });

/** Numbers of episodes in their creator's feed; see `episodes.ts`. */
export const episodeNumbers = pgTable(
  'episode_numbers',
  { voiceId: uuid().notNull(), audioId: uuid().notNull(), number: integer().notNull() },
  (table) => [primaryKey({ columns: [table.voiceId, table.audioId] })],
);

/** Audios that were items of a feed elsewhere. */
export const importedAudios = pgTable('imported_audios', {
  audioId: uuid().primaryKey(),
  guid: text().notNull(),
  /** Our feeds name its GUID too. */
  keepsGuid: boolean().notNull(),
  /** At the former host; the first publication keeps it. */
  publishedAt: timestamp({ withTimezone: true, precision: 3 }),
});

/** Paths of pages at a former host, for a domain that moves here. */
export const oldPaths = pgTable('old_paths', { path: text().primaryKey(), audioId: uuid().notNull() });

export const audioCounts = pgTable('audio_counts', {
  audioId: uuid()
    .primaryKey()
    .references(() => audios.id),
  plays: bigint({ mode: 'number' }).notNull().default(0),
  favorites: integer().notNull().default(0),
  comments: integer().notNull().default(0),
  /** Day (UTC) of the latest play. */
  playedOn: date({ mode: 'string' }),
  /** The audio’s creator, kept by triggers, so that one index has the most played audios of each. */
  voiceId: uuid(),
});

export const audioCategories = pgTable(
  'audio_categories',
  {
    audioId: uuid().notNull(),
    categoryId: uuid().notNull(),
    position: smallint().notNull().default(0),
  },
  (table) => [primaryKey({ columns: [table.audioId, table.categoryId] })],
);

/**
 * The audios of each category and tag (`listId`) that have a date of publication, with the values that lists are sorted
 * by: one index has each list in each order. Kept by triggers.
 */
export const audioListKeys = pgTable(
  'audio_list_keys',
  {
    audioId: uuid().notNull(),
    listId: uuid().notNull(),
    publishedAt: timestamp({ withTimezone: true, precision: 3 }).notNull(),
    sortTitle: text().notNull(),
    durationMs: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.audioId, table.listId] })],
);

/** The same with plays, apart because each play changes them. */
export const audioListPlays = pgTable(
  'audio_list_plays',
  { audioId: uuid().notNull(), listId: uuid().notNull(), plays: bigint({ mode: 'number' }).notNull() },
  (table) => [primaryKey({ columns: [table.audioId, table.listId] })],
);

/** Each audio with the values that lists are sorted by, and the keys that they are filtered by. Kept by triggers. */
export const audioFilterKeys = pgTable('audio_filter_keys', {
  audioId: uuid().primaryKey(),
  /** As that of the audio. */
  publishedAt: timestamp({ withTimezone: true, precision: 3 }),
  sortTitle: text().notNull(),
  durationMs: integer().notNull(),
  /** See `filters/keys.ts`. */
  keys: integer().array().notNull(),
});

/** Groups of tags, in the operators' order (decision 089). */
export const facets = pgTable('facets', {
  id,
  slug: text().notNull(),
  label: text().notNull(),
  explanation: text().notNull().default(''),
  position: integer().notNull().default(0),
  /** How many of its tags an audio has at most. */
  chooses: text().$type<FacetChoice>().notNull(),
  /** Before publication. */
  isRequired: boolean().notNull().default(false),
  /** Its tags are content notes; true for one facet at most. */
  hasContentNotes: boolean().notNull().default(false),
  createdAt,
});

export const tags = pgTable('tags', {
  id,
  slug: text().notNull(),
  label: text().notNull(),
  facetId: uuid().references(() => facets.id, { onDelete: 'set null' }),
  /** Among the tags of its facet. */
  position: integer().notNull().default(0),
  /** Small, for the keys of filters. */
  number: integer().notNull().generatedByDefaultAsIdentity(),
});

export const audioTags = pgTable('audio_tags', { audioId: uuid().notNull(), tagId: uuid().notNull() }, (table) => [
  primaryKey({ columns: [table.audioId, table.tagId] }),
]);

/** The spoken words, in the language of the audio. */
export const transcripts = pgTable('transcripts', {
  audioId: uuid().primaryKey(),
  /** Used by processes of the previous version, during an update. */
  language: text().notNull().default('en'),
  cues: jsonb().$type<Cue[]>().notNull(),
});

export const transcriptTranslations = pgTable(
  'transcript_translations',
  {
    audioId: uuid().notNull(),
    /** BCP 47. */
    language: text().notNull(),
    cues: jsonb().$type<Cue[]>().notNull(),
    createdAt,
    updatedAt,
  },
  (table) => [primaryKey({ columns: [table.audioId, table.language] })],
);

export const chapters = pgTable('chapters', {
  audioId: uuid().primaryKey(),
  chapters: jsonb().$type<Chapter[]>().notNull(),
});

export const series = pgTable('series', {
  id,
  slug: text().notNull(),
  title: text().notNull(),
  sortTitle: text().notNull(),
  description: text().notNull().default(''),
  voiceId: uuid().references(() => voices.id),
  imageKey: text(),
  color: text(),
  /** Hidden from listeners since; its audios stay visible. */
  hiddenAt: timestamp({ withTimezone: true, precision: 3 }),
  createdAt,
});

export const seriesItems = pgTable(
  'series_items',
  { seriesId: uuid().notNull(), audioId: uuid().notNull(), position: integer().notNull() },
  (table) => [primaryKey({ columns: [table.seriesId, table.audioId] })],
);

export const playlists = pgTable('playlists', {
  id,
  slug: text().notNull(),
  title: text().notNull(),
  description: text().notNull().default(''),
  position: integer().notNull().default(0),
  /** Replaces the portraits of its voices. */
  imageKey: text(),
  /** Null: a draft. In the future: scheduled. */
  publishedAt: timestamp({ withTimezone: true, precision: 3 }).defaultNow(),
  /** Can be undone for 30 days; `publishedAt` is null meanwhile. */
  deletedAt: timestamp({ withTimezone: true, precision: 3 }),
  publishedAtDeletion: timestamp({ withTimezone: true, precision: 3 }),
  createdAt,
});

export const playlistItems = pgTable(
  'playlist_items',
  { playlistId: uuid().notNull(), audioId: uuid().notNull(), position: integer().notNull() },
  (table) => [primaryKey({ columns: [table.playlistId, table.audioId] })],
);

/** Kept by triggers; a playlist that never had an audio has no row. Drafts and unpublished audios count. */
export const playlistCounts = pgTable('playlist_counts', {
  playlistId: uuid().primaryKey(),
  audios: integer().notNull().default(0),
  durationMs: bigint({ mode: 'number' }).notNull().default(0),
});

/** Creators in each playlist; kept by triggers. `publishedAt`: of the first of their audios in it, perhaps in future. */
export const playlistVoices = pgTable(
  'playlist_voices',
  {
    voiceId: uuid().notNull(),
    playlistId: uuid().notNull(),
    publishedAt: timestamp({ withTimezone: true, precision: 3 }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.voiceId, table.playlistId] })],
);

/** Tags that a user hides. */
export const hiddenTags = pgTable(
  'hidden_tags',
  { userId: uuid().notNull(), tagId: uuid().notNull(), createdAt },
  (table) => [primaryKey({ columns: [table.userId, table.tagId] })],
);

/** Audios that a user hides. */
export const hiddenAudios = pgTable(
  'hidden_audios',
  { userId: uuid().notNull(), audioId: uuid().notNull(), createdAt },
  (table) => [primaryKey({ columns: [table.userId, table.audioId] })],
);

/** Creators that a user hides. */
export const hiddenVoices = pgTable(
  'hidden_voices',
  { userId: uuid().notNull(), voiceId: uuid().notNull(), createdAt },
  (table) => [primaryKey({ columns: [table.userId, table.voiceId] })],
);

/** Users whose comments, playlists and profile a user does not see. */
export const userBlocks = pgTable(
  'user_blocks',
  { userId: uuid().notNull(), blockedId: uuid().notNull(), createdAt },
  (table) => [primaryKey({ columns: [table.userId, table.blockedId] })],
);

/** Measures of an audio's recording, and the files made of it. */
export const recordings = pgTable('recordings', {
  audioId: uuid().primaryKey(),
  /** The `audios.fileKey` that was measured; another one needs a new measurement. */
  fileKey: text().notNull(),
  /** The uploaded original; null for old imports. */
  originalKey: text(),
  originalName: text(),
  originalBytes: bigint({ mode: 'number' }),
  /** A smaller listening file, for browsers that save data. */
  smallKey: text(),
  smallMime: text(),
  smallBytes: bigint({ mode: 'number' }),
  /** As the tag of the processed files says; it follows `audios.syntheticVoice`. */
  taggedAs: text().$type<SyntheticVoice>().notNull().default('none'),
  facts: jsonb().$type<Partial<SoundFacts>>().notNull().default({}),
  /** 1,200 pairs of bytes along the recording: peak and loudness, 0 to 255. */
  peaks: bytea().notNull(),
  measuredAt: timestamp({ withTimezone: true, precision: 3 }).notNull().defaultNow(),
});

/** Audios whose file could not be measured; not retried until the file changes. */
export const unmeasuredRecordings = pgTable('unmeasured_recordings', {
  audioId: uuid().primaryKey(),
  triedFile: text().notNull(),
  reason: text().notNull(),
  triedAt: timestamp({ withTimezone: true, precision: 3 }).notNull().defaultNow(),
});

/** Small public numbers of audios, for `neighbourShards`. */
export const audioNumbers = pgTable('audio_numbers', {
  number: integer().primaryKey().generatedAlwaysAsIdentity(),
  audioId: uuid().notNull(),
});

/** As `#formats/suggestions/shards.ts` writes them. */
export const neighbourShards = pgTable('neighbour_shards', { shard: integer().primaryKey(), bytes: bytea().notNull() });

/** One row, once they were counted. */
export const neighbourCounts = pgTable('neighbour_counts', {
  isOnly: boolean().primaryKey().default(true),
  shards: integer().notNull(),
  countedAt: timestamp({ withTimezone: true, precision: 3 }).notNull().defaultNow(),
});
