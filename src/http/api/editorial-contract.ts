import { createRoute, z } from '@hono/zod-openapi';
import { blogSorts, defaultBlogSort, lastBlogPage } from '#domain/editorial/rules.ts';
import type { BlogSort } from '#domain/editorial/rules.ts';
import { Limit } from '#domain/kernel/pages.ts';
import { AudioResponse, failures, idOrSlug, json } from '#api/schemas.ts';

const ArticleCardResponse = z
  .object({
    id: z.uuid(),
    slug: z.string(),
    title: z.string(),
    description: z.string(),
    topic: z.string().openapi({ description: 'Its address, which stays when it is renamed' }),
    topicLabel: z.string(),
    imageUrl: z.string().nullable().openapi({ description: 'Path of the image route; add width, quality, format' }),
    color: z.string().nullable(),
    readTime: z.number().openapi({ description: 'Seconds' }),
    publishedAt: z.iso.datetime(),
  })
  .openapi('ArticleCard');

const ArticleResponse = ArticleCardResponse.extend({
  html: z.string().openapi({ description: 'Without script, style, picture or frame' }),
  updatedAt: z.iso.datetime(),
  audios: z.array(AudioResponse).openapi({ description: 'Audios mentioned in the article' }),
}).openapi('Article');

/** An unknown sort or topic falls back to the default, as on the page. */
const BlogListQuery = z.object({
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
});

export const listArticles = createRoute({
  method: 'get',
  path: '/blog',
  tags: ['Blog'],
  summary: 'Articles, by pages',
  request: { query: BlogListQuery },
  responses: {
    200: json(
      z.object({ items: z.array(ArticleCardResponse), page: z.number(), hasMore: z.boolean() }),
      'A page; `hasMore` says whether there is a next one',
    ),
    400: failures[400],
  },
});

export const findArticle = createRoute({
  method: 'get',
  path: '/blog/{id}',
  tags: ['Blog'],
  summary: 'One article',
  request: { params: idOrSlug },
  responses: { 200: json(ArticleResponse, 'Article'), ...failures },
});
