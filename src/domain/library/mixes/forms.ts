import { z } from 'zod';
import { AudioFilter, AudioSort } from '../../catalogue/forms.ts';
import { lineOfWords } from '../../kernel/forms.ts';
import { mixNameLength } from './rules.ts';

const place = z.string().max(200).nullable();

/** A list of audios under a name. */
const Fields = z.strictObject({
  name: lineOfWords(mixNameLength),
  filter: AudioFilter,
  category: place.describe('Id or slug: only audios in this category'),
  voice: place.describe('Id or slug: only audios of this voice'),
  sort: AudioSort,
  hasNews: z.boolean().describe('New audios that fit are news'),
});

export const MixForm = Fields.extend({
  category: Fields.shape.category.default(null),
  voice: Fields.shape.voice.default(null),
  hasNews: Fields.shape.hasNews.default(false),
});
export type MixForm = z.output<typeof MixForm>;

/** Absent fields stay as they are. */
export const MixChange = Fields.partial();
export type MixChange = z.output<typeof MixChange>;
