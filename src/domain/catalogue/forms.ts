import { z } from 'zod';

export const audioSorts = ['recent', 'oldest', 'popular', 'title', 'shortest', 'longest'] as const;
export type AudioSort = (typeof audioSorts)[number];

export const voiceTypes = ['female', 'male', 'non-binary'] as const;
export type VoiceType = (typeof voiceTypes)[number];

/** Labels for voice pages and filter chips. */
export const voiceTypeLabels: Record<VoiceType, string> = {
  female: 'Female voice',
  male: 'Male voice',
  'non-binary': 'Non-binary voice',
};

const Slug = z
  .string()
  .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'must be a slug')
  .max(120);

/** Filters of every list of audios; the API and page URLs use the same names. */
export const AudioFilter = z.object({
  /** Slug of a tag. */
  tag: Slug.optional(),
  voiceType: z.enum(voiceTypes).optional(),
  /** Seconds; only audios that are shorter. */
  shorterThan: z.coerce.number().int().min(1).max(86_400).optional(),
  free: z.literal('true').optional(),
});
export type AudioFilter = z.infer<typeof AudioFilter>;

export const AudioSort = z.enum(audioSorts);
