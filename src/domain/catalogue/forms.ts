import { z } from 'zod';
import { i18n } from '#i18n';
import { ContentLanguage, isPlain, noName, notSlug, noTitle, tooLong, tooMany } from '../kernel/forms.ts';
import { compose, dropUnwanted, isVisible } from '../kernel/rules.ts';
import { audioLengths, type filterNames, maxFilterValues } from './filters/rules.ts';
import {
  isHttps,
  licenses,
  maxLinks,
  maxRecommended,
  seriesLimits,
  syntheticVoices,
  voiceLimits,
  voiceTypes,
} from './rules.ts';

export const audioSorts = ['recent', 'oldest', 'popular', 'title', 'shortest', 'longest'] as const;
export type AudioSort = (typeof audioSorts)[number];

export const Slug = z
  .string()
  .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, notSlug)
  .max(120);

/** Values joined by commas, or in several parameters of the name: each once, in alphabetical order. */
function listOf<Value extends string>(value: z.ZodType<Value, string>) {
  return z
    .union([z.string(), z.array(z.string())])
    .transform((given) => [...new Set([given].flat().join().split(','))].toSorted())
    .pipe(z.array(value).max(maxFilterValues));
}

/** Filters of every list of audios; the API and page URLs use the same names, in the order of `filterNames`. */
export const AudioFilter = z.object({
  tag: listOf(Slug)
    .optional()
    .describe('Slugs, joined by commas. Of each facet one of these tags, and every one that belongs to no facet'),
  not: listOf(Slug).optional().describe('Slugs of tags, joined by commas: audios with none of them'),
  length: listOf(z.enum(audioLengths))
    .optional()
    .describe('Any of `short` (under 10 minutes), `medium` (10 to 20), `long` (20 to 40), `longer`, joined by commas'),
  free: z.literal('true').optional().describe('Free to all'),
  syntheticVoice: z.enum(syntheticVoices).optional(),
  language: listOf(z.string().regex(/^(?:[a-z]{2,3}|[a-z]{5,8})$/))
    .optional()
    .describe('Any of these languages (BCP 47, without region), joined by commas'),
  voiceType: listOf(z.enum(voiceTypes)).optional().describe('Any of `female`, `male`, `non-binary`, joined by commas'),
  shorterThan: z.coerce.number().int().min(1).max(86_400).optional().describe('Seconds; only audios that are shorter'),
}) satisfies z.ZodType<{ [Name in (typeof filterNames)[number]]?: unknown }>;
export type AudioFilter = z.infer<typeof AudioFilter>;

export const AudioSort = z.enum(audioSorts);

/** One line without control characters. */
const line = (max: number, missing: { error: () => string }) =>
  z
    .string()
    .transform((text) => compose(dropUnwanted(text)).replaceAll(/\s+/g, ' ').trim())
    .refine(isVisible, missing)
    .refine((text) => [...text].length <= max, tooLong(max));

const paragraphs = (max: number) =>
  z
    .string()
    .transform((text) => compose(dropUnwanted(text.replaceAll(/\r\n?/g, '\n'))).trim())
    .refine((text) => [...text].length <= max, tooLong(max));

const longLink = { error: () => i18n._(/*i18n*/ { id: 'link-form.long', message: 'This address is too long' }) };

const VoiceLinkForm = z.object({
  label: line(voiceLimits.linkLabel, {
    error: () => i18n._(/*i18n*/ { id: 'link-form.no-label', message: 'Name the link' }),
  }),
  url: z
    .string()
    .trim()
    .max(voiceLimits.linkUrl, longLink)
    .refine((text) => isHttps(text) && isPlain(text), {
      error: () => i18n._(/*i18n*/ { id: 'link-form.not-https', message: 'Use an address that begins with https://' }),
    })
    .transform((text) => new URL(text).href)
    // Encoding makes an address longer.
    .refine((text) => text.length <= voiceLimits.linkUrl, longLink),
});

const AudioId = z.uuid().toLowerCase().nullable();

/** Fields of a creator's page; absent fields stay as they are. */
export const VoiceProfileForm = z
  .strictObject({
    name: line(voiceLimits.name, noName),
    slug: Slug,
    bio: paragraphs(voiceLimits.bio),
    language: ContentLanguage,
    links: z.array(VoiceLinkForm).max(maxLinks, tooMany(maxLinks)),
    /** Ids of creators whom this one recommends, in display order. */
    recommendedIds: z
      .array(z.uuid().toLowerCase())
      .max(maxRecommended, tooMany(maxRecommended))
      .transform((ids) => [...new Set(ids)]),
    /** Its id; null: links lead to the creator's page. */
    linkedSeriesId: z.uuid().toLowerCase().nullable(),
    license: z.enum(['', ...licenses]).describe('Of the free audios, by its SPDX id in lower case; empty: none'),
    directoryText: paragraphs(voiceLimits.directoryText).describe('Proves to podcast directories whose feed it is'),
    takesTips: z.boolean().describe('Listeners can tip the creator, where the site offers it'),
    tipThanks: paragraphs(voiceLimits.tipThanks).describe('Shown to whoever has given a tip'),
    welcomeAudioId: AudioId.describe('A public audio of their own: the trailer of their private feeds; null: none'),
    paymentAudioId: AudioId.describe('Heard in private feeds while a payment has failed; null: two tones'),
    farewellAudioId: AudioId.describe('Heard in private feeds after a subscription has ended; null: two tones'),
    allowsClips: z.boolean().describe('Listeners may share parts of up to a minute of free audios'),
  })
  .partial();
export const profileFields = Object.keys(VoiceProfileForm.shape) as (keyof VoiceProfileForm)[];
export type VoiceProfileForm = z.output<typeof VoiceProfileForm>;

/** The fields that change, as their author saw them; another value in between is a conflict. */
export const VoiceProfileSeen = z
  .object({
    name: z.string().max(1000),
    slug: z.string().max(120),
    bio: z.string().max(20_000),
    language: z.string().max(100),
    links: z.array(z.object({ label: z.string().max(1000), url: z.string().max(1000) })).max(100),
    recommendedIds: z.array(z.uuid().toLowerCase()).max(100),
    license: z.enum(['', ...licenses]),
    directoryText: z.string().max(2000),
    takesTips: z.boolean(),
    tipThanks: z.string().max(2000),
    welcomeAudioId: AudioId,
    paymentAudioId: AudioId,
    farewellAudioId: AudioId,
    allowsClips: z.boolean(),
    linkedSeriesId: z.uuid().toLowerCase().nullable(),
  })
  .partial();
export type VoiceProfileSeen = z.output<typeof VoiceProfileSeen>;

export const SeriesForm = z.object({
  title: line(seriesLimits.title, noTitle),
  description: paragraphs(seriesLimits.description).default(''),
});
export type SeriesForm = z.output<typeof SeriesForm>;

/** Absent fields stay as they are. */
export const SeriesEditForm = z
  .strictObject({ title: line(seriesLimits.title, noTitle), description: paragraphs(seriesLimits.description) })
  .partial();
export type SeriesEditForm = z.output<typeof SeriesEditForm>;

/** As `VoiceProfileSeen`. */
export const SeriesSeen = z.object({ title: z.string().max(1000), description: z.string().max(20_000) }).partial();
export type SeriesSeen = z.output<typeof SeriesSeen>;
