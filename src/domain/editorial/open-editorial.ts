import type { Language } from '#formats/languages.ts';
import { language } from '#i18n';
import type { Db } from '../kernel/db.ts';
import { DomainError } from '../kernel/errors.ts';
import type { Viewer } from '../kernel/viewer.ts';
import type { Offer } from '../membership/shapes.ts';
import { languageOfOwnTexts } from '../settings/languages.ts';
import type { Settings } from '../settings/open-settings.ts';
import * as articles from './articles.ts';
import { type InfoFacts, type InfoPageName, infoPageSetting, loadInfoPages, retention } from './info-pages.ts';
import { type BlogQuery, type Topic, chosenTopics, topicText } from './rules.ts';
import { blogTopics } from './topics.ts';

/** @param deps.findOffer prices, for the terms */
export async function openEditorial({
  db,
  settings,
  facts,
  findOffer,
  isBlogOn,
}: {
  db: Db;
  settings: Settings;
  facts: InfoFacts;
  findOffer: () => Promise<Offer>;
  /** Whether the blog is on; when off, its pages answer not-found. */
  isBlogOn: () => boolean;
}) {
  const infoPages = await loadInfoPages(facts);
  const topics = (): Topic[] => settings.read(blogTopics).topics;
  /** As with mails: the operators' words come before the site's own translation. */
  function ownInfoText(name: InfoPageName): { text: string; language: Language } | undefined {
    const translation = settings.words.find('info', name, 'text');
    if (translation !== undefined) return { text: translation, language: language() };
    const { text } = settings.read(infoPageSetting(name));
    return text === null ? undefined : { text, language: languageOfOwnTexts(settings) };
  }
  /** @throws DomainError `request/not-found` */
  async function whenOn<Result>(find: () => Promise<Result>): Promise<Result> {
    if (!isBlogOn()) throw new DomainError('request/not-found');
    return find();
  }
  return {
    /** The site's own text, from which operators start. */
    findInfoDefault: (name: InfoPageName) => infoPages.defaults[languageOfOwnTexts(settings)][name],
    /** The same in the language of the request. */
    findInfoTranslation: (name: InfoPageName) => infoPages.defaults[language()][name],
    findInfoPage: async (name: InfoPageName) =>
      infoPages.render(name, ownInfoText(name), await findOffer(), settings.read(retention)),
    /** Preview of a page with unsaved text. */
    previewInfoPage: async (name: InfoPageName, text: string) =>
      infoPages.render(
        name,
        { text, language: languageOfOwnTexts(settings) },
        await findOffer(),
        settings.read(retention),
      ),
    listTopics: () => topics().map(({ slug, label }) => ({ slug, label: topicText(slug, label) })),
    /** Unknown topics are ignored. */
    listArticles: (query: BlogQuery & { limit?: number }) =>
      whenOn(() => articles.listArticles(db, topics(), { ...query, topics: chosenTopics(topics(), query.topics) })),
    findArticle: async (viewer: Viewer, idOrSlug: string) =>
      isBlogOn() ? articles.findArticle(db, topics(), viewer, idOrSlug) : undefined,
    listNextArticles: (article: { id: string; topic: string }, limit: number) =>
      articles.listNextArticles(db, topics(), article, limit),
    listWholeArticles: (limit: number) => whenOn(() => articles.listWholeArticles(db, topics(), limit)),
  };
}
