import { z } from '@hono/zod-openapi';
import { Article, ArticleCard } from '#domain/editorial/articles.ts';
import { type BlogSort, blogSorts, defaultBlogSort, lastBlogPage } from '#domain/editorial/rules.ts';
import { Limit } from '#domain/kernel/pages.ts';
import { visitor } from '#domain/kernel/viewer.ts';
import { call } from './call.ts';
import { AudioResponse, idOrSlug } from './schemas.ts';

const ArticleCardResponse = z.object(ArticleCard.shape).openapi('ArticleCard');
const ArticleResponse = z
  .object({ ...Article.shape, audios: z.array(AudioResponse).describe('Audios mentioned in the article') })
  .openapi('Article');

export const listArticles = call({
  get: '/blog',
  about: 'Articles, by pages',
  // An unknown sort or topic falls back to the default, as on the page.
  query: z.object({
    sortBy: z
      .string()
      .optional()
      .transform((text): BlogSort => blogSorts.find((sort) => sort === text?.toLowerCase()) ?? defaultBlogSort)
      .openapi({ type: 'string', enum: [...blogSorts], default: defaultBlogSort }),
    topics: z
      .string()
      .optional()
      .transform((text) => text?.toLowerCase().split(',').slice(0, 50) ?? [])
      .openapi({ type: 'string', description: 'Addresses of topics, separated by commas; default: all' }),
    page: z.coerce.number().int().min(0).max(lastBlogPage).default(0).openapi({ description: 'From 0' }),
    limit: Limit.unwrap().default(12).openapi({ description: '1 to 100; default: 12' }),
  }),
  output: z.object({
    items: z.array(ArticleCardResponse),
    page: z.number(),
    hasMore: z.boolean().describe('Whether there is a next one'),
  }),
  act: ({ site, query }) => site.editorial.listArticles(query),
});

export const findArticle = call({
  get: '/blog/{id}',
  about: 'One article',
  params: idOrSlug,
  output: ArticleResponse,
  act: ({ site, id }) => site.editorial.findArticle(visitor, id),
});
