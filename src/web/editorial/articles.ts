import type { ArticleCard, BlogPage } from '#domain/editorial/articles.ts';
import { type BlogQuery, blogAddress } from '#domain/editorial/rules.ts';
import type { Page } from '#domain/kernel/pages.ts';
import { answerOf, api } from '#web/api.ts';
import type { PageSource } from '#web/catalogue/lists/use-pages.ts';

/** The blog's pages have numbers: the cursor is the number of the next one, from 0. */
export function toPage({ items, page, hasMore }: BlogPage): Page<ArticleCard> {
  return { items, nextCursor: hasMore ? String(page + 1) : undefined };
}

/** The list of this query, for the pages after the first. */
export function sourceOf(query: BlogQuery): PageSource<ArticleCard> {
  return {
    path: blogAddress(query),
    under: 'items',
    async load(page, signal) {
      const topics = query.topics.join(',');
      const answer = await answerOf(
        api.blog.$get({ query: { sortBy: query.sortBy, topics, page } }, { init: { signal } }),
      );
      if (!answer.ok) throw new Error(answer.message);
      return toPage(answer.data);
    },
  };
}
