import { formatCount } from '#formats/numbers.ts';
import { z } from 'zod';
import { isSlug } from '../../kernel/ids.ts';
import { Instant, isPlain, PlainText } from '../../kernel/forms.ts';
import { compose } from '../../kernel/rules.ts';
import { maxTopics } from '../../editorial/rules.ts';
import { articleLengths, maxArticleAudios, topicLength } from '../rules.ts';

const text = (max: number) =>
  z
    .string('Use plain text')
    .overwrite(compose)
    .refine((value) => [...value].length <= max, `at most ${formatCount(max)} characters`)
    .refine(isPlain, 'must be plain text')
    .transform((value) => value.replaceAll('\r\n', '\n'));
const line = (max: number, empty: string) =>
  text(max)
    .transform((value) => value.replaceAll(/\s+/g, ' ').trim())
    .refine((value) => value !== '', empty);

const slug = z
  .string()
  .max(articleLengths.slug, `at most ${articleLengths.slug} characters`)
  .refine(isSlug, 'must be small letters, digits and hyphens');
const revision = z.number().int().min(1).describe('The one that the editor saw');

export const NewArticle = z.object({ title: line(articleLengths.title, 'Write a title') });

/** Absent fields stay as they are. */
export const ArticleEdit = z.object({
  revision,
  title: line(articleLengths.title, 'Write a title').optional(),
  slug: slug.optional(),
  description: text(articleLengths.description)
    .transform((value) => value.trim())
    .optional(),
  body: text(articleLengths.body).optional(),
  topic: PlainText.max(80).optional(),
  audioIds: z
    .array(z.uuid('must be an id').toLowerCase())
    .max(maxArticleAudios, `at most ${maxArticleAudios}`)
    .refine((list) => new Set(list).size === list.length, 'must not repeat one')
    .optional(),
});
export type ArticleEdit = z.output<typeof ArticleEdit>;

export const ArticlePublication = z.object({
  revision,
  /** Null: a draft. In the future: scheduled. */
  at: z.union([z.literal('now'), Instant, z.null()]),
});
export type ArticlePublication = z.output<typeof ArticlePublication>;

export const ArticlePictureArea = z.object({
  x: z.number().int(),
  y: z.number().int(),
  size: z.number().int().describe('Width; the height follows from the shape'),
});

export const TopicsForm = z.object({
  revision: z.number().int().min(0),
  topics: z
    .array(
      z.object({
        slug: slug.nullable().describe('Null: a new topic, whose address is made of its name'),
        label: line(topicLength, 'Write a name'),
      }),
    )
    .min(1, 'Keep at least one topic')
    .max(maxTopics, `at most ${maxTopics}`),
  /** The topic that the articles of each removed topic move to. */
  moved: z.record(PlainText.max(80), PlainText.max(80)).default({}),
});
export type TopicsForm = z.output<typeof TopicsForm>;
