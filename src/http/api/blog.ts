import { createRoute, OpenAPIHono, z } from '@hono/zod-openapi';
import { blogSorts, defaultBlogSort, lastBlogPage, topics } from '#domain/editorial/rules.ts';
import type { BlogSort } from '#domain/editorial/rules.ts';
import { DomainError } from '#domain/errors.ts';
import { Limit } from '#domain/pages.ts';
import type { Site } from '#domain/site.ts';
import { refuseInvalid } from './invalid.ts';
import { AudioAnswer, failures, idOrSlug, json } from './schemas.ts';

const ArticleCardAnswer = z
  .object({
    id: z.uuid(),
    slug: z.string(),
    title: z.string(),
    description: z.string(),
    topic: z.enum(topics),
    imageUrl: z.string().nullable().openapi({ description: 'Path of the image route; add width, quality, format' }),
    color: z.string().nullable(),
    readTime: z.number().openapi({ description: 'Seconds' }),
    publishedAt: z.iso.datetime(),
  })
  .openapi('ArticleCard');

const ArticleAnswer = ArticleCardAnswer.extend({
  html: z.string().openapi({ description: 'Without script, style, picture or frame' }),
  updatedAt: z.iso.datetime(),
  audios: z.array(AudioAnswer).openapi({ description: 'What the article speaks of' }),
}).openapi('Article');

/** A sort or a topic that does not exist falls back to what goes without saying, as in the address of the page. */
const BlogListQuery = z.object({
  sortBy: z
    .string()
    .optional()
    .transform((text): BlogSort => blogSorts.find((sort) => sort === text?.toLowerCase()) ?? defaultBlogSort)
    .openapi({ type: 'string', enum: [...blogSorts], default: defaultBlogSort }),
  topics: z
    .string()
    .optional()
    .transform((text) => topics.filter((topic) => text?.toLowerCase().split(',').includes(topic)))
    .openapi({ type: 'string', description: `Some of ${topics.join(', ')}, parted by commas; all unless told` }),
  page: z.coerce.number().int().min(0).max(lastBlogPage).default(0).openapi({ description: 'From 0' }),
  limit: Limit.unwrap().default(12).openapi({ description: '1 to 100; 12 unless told' }),
});

export function blogRoutes({ editorial }: Pick<Site, 'editorial'>) {
  return new OpenAPIHono({ defaultHook: refuseInvalid })
    .openapi(
      createRoute({
        method: 'get',
        path: '/blog',
        tags: ['Blog'],
        summary: 'Articles, by pages',
        request: { query: BlogListQuery },
        responses: {
          200: json(
            z.object({ items: z.array(ArticleCardAnswer), page: z.number(), hasMore: z.boolean() }),
            'A page; `hasMore` says whether there is a next one',
          ),
          400: failures[400],
        },
      }),
      async (context) => context.json(await editorial.listArticles(context.req.valid('query')), 200),
    )
    .openapi(
      createRoute({
        method: 'get',
        path: '/blog/{id}',
        tags: ['Blog'],
        summary: 'One article',
        request: { params: idOrSlug },
        responses: { 200: json(ArticleAnswer, 'Article'), ...failures },
      }),
      async (context) => {
        const article = await editorial.findArticle(context.req.valid('param').id);
        if (article === undefined) throw new DomainError('request/not-found');
        return context.json(article, 200);
      },
    );
}
