import { z } from 'zod';
import { Slug } from '../../kernel/shapes.ts';
import { facetChoices, syntheticVoices, voiceTypes } from '../rules.ts';
import { audioLengths } from './rules.ts';

const audios = z
  .number()
  .optional()
  .describe('What would be found with it, under all other filters; absent: too many to count in time');

/** As `AudioFilter`. */
export const FilterPart = z
  .object({
    tag: z.array(Slug),
    not: z.array(Slug),
    length: z.array(z.enum(audioLengths)),
    free: z.literal('true'),
    syntheticVoice: z.enum(syntheticVoices),
    language: z.array(z.string()),
    voiceType: z.array(z.enum(voiceTypes)),
    shorterThan: z.number(),
  })
  .partial();

const Option = z.object({ value: z.string(), audios });

/** The choices that a list offers, with what each would find. */
export const FilterChoices = z.object({
  total: z.number().optional().describe('What the filter finds; absent: too many to count in time'),
  of: z.number().optional().describe('What there is without a filter'),
  facets: z
    .array(
      z.object({
        slug: Slug.optional().describe(
          'Absent: the most used tags of no facet, of which all chosen ones must be there',
        ),
        label: z.string().optional(),
        explanation: z.string().optional(),
        chooses: z.enum(facetChoices).describe('How many of its tags an audio has at most'),
        tags: z.array(z.object({ slug: Slug, label: z.string(), audios })),
      }),
    )
    .describe('In the order of the house'),
  lengths: z.array(Option),
  languages: z.array(Option).describe('Those with the most audios first'),
  voiceTypes: z.array(Option),
  free: audios,
  withoutSyntheticVoice: audios,
  wider: z
    .array(
      z.object({
        without: FilterPart.describe('A part of the filter'),
        audios: z.number().optional().describe('Absent: too many to count in time'),
      }),
    )
    .describe('When nothing is found: the two parts of the filter without which most is found'),
});
export type FilterChoices = z.infer<typeof FilterChoices>;

/** A list of the catalogue: all audios, or those in one of these; ids. */
export type FilterPlace = {
  categoryId?: string;
  voiceId?: string;
  seriesId?: string;
  playlistId?: string;
  userPlaylistId?: string;
};
