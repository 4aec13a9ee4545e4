import { z } from 'zod';
import { i18n } from '#i18n';
import { isSlug } from '../../kernel/ids.ts';
import {
  ContentLanguage,
  Instant,
  isPlain,
  isRepeated,
  noName,
  notPlain,
  notSlug,
  noTitle,
  PlainText,
  tooLong,
  tooMany,
} from '../../kernel/forms.ts';
import { compose } from '../../kernel/rules.ts';
import { maxTopics } from '../../editorial/rules.ts';
import { articleLengths, maxArticleAudios, topicLength } from '../rules.ts';

const text = (max: number) =>
  z
    .string(notPlain)
    .overwrite(compose)
    .refine((value) => [...value].length <= max, tooLong(max))
    .refine(isPlain, notPlain)
    .transform((value) => value.replaceAll('\r\n', '\n'));
const line = (max: number, empty: { error: () => string }) =>
  text(max)
    .transform((value) => value.replaceAll(/\s+/g, ' ').trim())
    .refine((value) => value !== '', empty);

const slug = z.string().max(articleLengths.slug, tooLong(articleLengths.slug)).refine(isSlug, notSlug);
const revision = z.number().int().min(1).describe('The one that the editor saw');

export const NewArticle = z.object({ title: line(articleLengths.title, noTitle) });

/** Absent fields stay as they are. */
export const ArticleEdit = z.object({
  revision,
  title: line(articleLengths.title, noTitle).optional(),
  slug: slug.optional(),
  description: text(articleLengths.description)
    .transform((value) => value.trim())
    .optional(),
  body: text(articleLengths.body).optional(),
  language: ContentLanguage.optional(),
  topic: PlainText.max(80).optional(),
  audioIds: z
    .array(z.uuid().toLowerCase())
    .max(maxArticleAudios, tooMany(maxArticleAudios))
    .refine((list) => new Set(list).size === list.length, isRepeated)
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
        label: line(topicLength, noName),
      }),
    )
    .min(1, { error: () => i18n._(/*i18n*/ { id: 'topics-form.none', message: 'Keep at least one topic' }) })
    .max(maxTopics, tooMany(maxTopics)),
  /** The topic that the articles of each removed topic move to. */
  moved: z.record(PlainText.max(80), PlainText.max(80)).default({}),
});
export type TopicsForm = z.output<typeof TopicsForm>;
