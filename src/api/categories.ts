import { z } from '@hono/zod-openapi';
import { Limit } from '#domain/kernel/pages.ts';
import { call } from './call.ts';
import { found } from './found.ts';
import { AudioListQuery, AudioResponse, CategoryResponse, idOrSlug, pageOf, toListQuery } from './schemas.ts';

export const listCategories = call({
  get: '/categories',
  about: 'Categories, in the order of the house',
  query: z.object({ limit: Limit.removeDefault().optional().describe('1 to 100; default: all') }),
  output: z.object({ items: z.array(CategoryResponse) }),
  act: async ({ site, query }) => ({ items: await site.catalogue.listCategories(query.limit) }),
});

export const findCategory = call({
  get: '/categories/{id}',
  about: 'One category',
  params: idOrSlug,
  output: CategoryResponse,
  act: ({ site, id }) => site.catalogue.findCategory(id),
});

export const listCategoryAudios = call({
  get: '/categories/{id}/audios',
  about: 'Audios in a category',
  params: idOrSlug,
  query: AudioListQuery,
  output: pageOf(AudioResponse),
  async act({ site: { catalogue }, viewer, id, query }) {
    const category = found(await catalogue.findCategory(id));
    return catalogue.listAudios(viewer, { categoryId: category.id, ...toListQuery(query) });
  },
});
