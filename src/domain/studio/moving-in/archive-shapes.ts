import { z } from 'zod';
import { Slug, VoiceProfileForm } from '../../catalogue/forms.ts';
import { AudioEdit } from '../../catalogue/editing/editing.ts';
import { creditRoles } from '../../catalogue/credits/rules.ts';
import {
  commentHolds,
  commentOrders,
  commenterChoices,
  facetChoices,
  maxSeriesAudios,
  seriesLimits,
} from '../../catalogue/rules.ts';
import { CommentSettingsInput } from '../../community/forms.ts';
import type { FeedItem } from '../../gateways.ts';
import { ContentLanguage, Instant, lineOfWords } from '../../kernel/forms.ts';

/**
 * The JSON files of a creator's archive, as they are read back. Whoever sends an archive may have written it themselves,
 * so each field passes the form that the Studio has for it.
 */

/** Raised when an older version could no longer read the files. */
export const archiveFormat = 1;

/** A file in the archive. */
const Path = z.string().min(1).max(300);
const { description, syntheticVoice, color, badge } = AudioEdit.shape;
const Color = color.unwrap();

/** Facts of an audio beside the fields of a feed's item; by slug and label, since ids are those of the former site. */
export const ArchivedFacts = z.object({
  slug: Slug,
  language: ContentLanguage,
  isFree: z.boolean(),
  syntheticVoice: syntheticVoice.unwrap(),
  commenters: z.enum(commenterChoices),
  commentHold: z.enum(commentHolds).nullable().describe('Null: as the creator has it'),
  commentsPausedUntil: Instant.nullable(),
  color: Color,
  badge: badge.unwrap(),
  categories: z.array(Slug).max(100),
  tags: z.array(lineOfWords(60)).max(200),
  credits: z
    .array(
      z.object({
        role: z.enum(creditRoles),
        name: lineOfWords(160),
        voice: z.object({ slug: Slug }).nullable().describe('A page at the former site'),
      }),
    )
    .max(100),
});
export type ArchivedFacts = z.output<typeof ArchivedFacts>;

/** A line of `audios.jsonl`. */
export const ArchivedLine = ArchivedFacts.extend({
  guid: z.string().min(1).max(2000),
  title: lineOfWords(200),
  description: description.unwrap(),
  publishedAt: Instant.nullable(),
  number: z.number().int().min(0).max(1_000_000).nullable(),
  durationMs: z.number().int().min(0),
  fileBytes: z.number().int().min(0),
  sound: Path,
  original: Path.optional(),
  originalName: z.string().max(255).nullable(),
  cover: Path.optional(),
  chapters: Path.optional(),
  hasOwnChapters: z.boolean(),
  transcripts: z.array(z.object({ language: ContentLanguage, path: Path })).max(100),
});
export type ArchivedLine = z.output<typeof ArchivedLine>;

const page = VoiceProfileForm.shape;

/** `creator.json`. Others are named by their slug, which may be unknown here. */
export const ArchivedCreator = z.object({
  format: z.literal(archiveFormat),
  name: page.name.unwrap(),
  slug: Slug,
  bio: page.bio.unwrap(),
  language: page.language.unwrap(),
  links: page.links.unwrap(),
  license: page.license.unwrap(),
  directoryText: page.directoryText.unwrap(),
  voiceType: lineOfWords(60),
  category: Slug.nullable(),
  color: Color,
  portrait: Path.optional(),
  recommended: z.array(Slug).max(100),
  linkedSeries: Slug.nullable(),
  welcomeAudio: Slug.nullable(),
  paymentAudio: Slug.nullable(),
  farewellAudio: Slug.nullable(),
  comments: z.object({
    commenters: z.enum(commenterChoices),
    hold: z.enum(commentHolds),
    words: CommentSettingsInput.shape.words.unwrap(),
    order: z.enum(commentOrders),
    pausedUntil: Instant.nullable(),
  }),
});
export type ArchivedCreator = z.output<typeof ArchivedCreator>;

/** `series.json`. */
export const ArchivedSeries = z
  .array(
    z.object({
      slug: Slug,
      title: lineOfWords(seriesLimits.title),
      description: z.string().max(4 * seriesLimits.description),
      color: Color,
      cover: Path.optional(),
      isHidden: z.boolean(),
      audios: z.array(Slug).max(4 * maxSeriesAudios),
    }),
  )
  .max(2000);
export type ArchivedSeries = z.output<typeof ArchivedSeries>;

const TagNames = z.array(lineOfWords(60)).max(2000);

/** `catalogue.json`: the categories and tags of the former site, in their order. Only operators bring them along. */
export const ArchivedCatalogue = z.object({
  categories: z
    .array(z.object({ slug: Slug, label: lineOfWords(80), description: z.string().max(2000), color: Color }))
    .max(1000),
  facets: z
    .array(
      z.object({
        slug: Slug,
        label: lineOfWords(60),
        explanation: z.string().max(300),
        chooses: z.enum(facetChoices),
        isRequired: z.boolean(),
        hasContentNotes: z.boolean(),
        tags: TagNames,
      }),
    )
    .max(200),
});
export type ArchivedCatalogue = z.output<typeof ArchivedCatalogue>;

/** `before/…`: files of sites before the former one, and what they become here. */
export const keptFiles = ['figures.csv', 'audios.csv', 'comments.jsonl'] as const;

/** An item of a feed, or an audio of an archive. */
export type ImportedItem = FeedItem & {
  archived?: ArchivedFacts & {
    /** Its file is the one that listeners heard; the original was not kept. */
    isListeningFile: boolean;
    /** The original's. */
    fileName: string | null;
    /** A credit of this page is the creator’s own. */
    creatorSlug: string;
  };
};
