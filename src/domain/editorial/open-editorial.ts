import type { Db } from '../kernel/db.ts';
import { DomainError } from '../kernel/errors.ts';
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
  isBlogOn,
}: {
  db: Db;
  facts: InfoFacts;
  findOffer: () => Promise<Offer>;
  /** Whether the blog is offered; off: nothing of it is found. */
  isBlogOn: () => boolean;
}) {
  const writeInfoPage = await loadInfoPages(facts);
  /** @throws DomainError `request/not-found` */
  async function whenOn<Result>(find: () => Promise<Result>): Promise<Result> {
    if (!isBlogOn()) throw new DomainError('request/not-found');
    return find();
  }
  return {
    findInfoPage: async (name: InfoPageName) => writeInfoPage(name, await findOffer()),
    listArticles: (query: BlogQuery & { limit?: number }) => whenOn(() => articles.listArticles(db, query)),
    findArticle: async (viewer: Viewer, idOrSlug: string) =>
      isBlogOn() ? articles.findArticle(db, viewer, idOrSlug) : undefined,
    listNextArticles: (article: { id: string; topic: Topic }, limit: number) =>
      articles.listNextArticles(db, article, limit),
    listWholeArticles: (limit: number) => whenOn(() => articles.listWholeArticles(db, limit)),
  };
}
