import type { Db } from '../kernel/db.ts';
import type { Viewer } from '../kernel/viewer.ts';
import type { Offer } from '../membership/settings.ts';
import * as articles from './articles.ts';
import type { InfoFacts, InfoPageName } from './info-pages.ts';
import { loadInfoPages } from './info-pages.ts';
import type { BlogQuery, Topic } from './rules.ts';

/** @param deps.findOffer prices, for the terms */
export async function openEditorial({
  db,
  facts,
  findOffer,
}: {
  db: Db;
  facts: InfoFacts;
  findOffer: () => Promise<Offer>;
}) {
  const writeInfoPage = await loadInfoPages(facts);
  return {
    findInfoPage: async (name: InfoPageName) => writeInfoPage(name, await findOffer()),
    listArticles: (query: BlogQuery & { limit?: number }) => articles.listArticles(db, query),
    findArticle: (viewer: Viewer, idOrSlug: string) => articles.findArticle(db, viewer, idOrSlug),
    listNextArticles: (article: { id: string; topic: Topic }, limit: number) =>
      articles.listNextArticles(db, article, limit),
    listWholeArticles: (limit: number) => articles.listWholeArticles(db, limit),
  };
}
