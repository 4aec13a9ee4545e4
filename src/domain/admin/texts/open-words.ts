import { checkMarkdown, renderMarkdown } from '../../editorial/markdown.ts';
import type { InfoPage, InfoPageName } from '../../editorial/info-pages.ts';
import { findInfoFault } from '../../editorial/info-pages.ts';
import { formatReadTime, readTimeOf } from '../../editorial/rules.ts';
import { blogTopics } from '../../editorial/topics.ts';
import type { Blobs, Covers } from '../../gateways.ts';
import type { Actor } from '../../kernel/actor.ts';
import type { Db } from '../../kernel/db.ts';
import type { MailSite } from '../../kernel/email-template.ts';
import { DomainError } from '../../kernel/errors.ts';
import type { MailText } from '../../kernel/mail-text.ts';
import { findSetting } from '../../settings/change-setting.ts';
import type { Settings } from '../../settings/open-settings.ts';
import { administratorsOnly } from '../administrators-only.ts';
import type * as forms from './article-forms.ts';
import * as list from './article-list.ts';
import { setArticlePicture } from './article-pictures.ts';
import type { ArticlePicture } from './article-pictures.ts';
import { changeTopics, countTopics } from './article-topics.ts';
import * as articles from './articles.ts';
import * as texts from './site-texts.ts';

export type WordsParts = {
  db: Db;
  settings: Settings;
  site: MailSite;
  blobs: Blobs;
  covers: Covers;
  editorial: {
    findInfoDefault(name: InfoPageName): string;
    previewInfoPage(name: InfoPageName, text: string): Promise<InfoPage>;
  };
};

/** Articles, info pages and mails, for operators. */
export function openWords(parts: WordsParts) {
  const { db, settings, site, editorial } = parts;
  /** This process uses the change at once; the others are notified. */
  async function thenRefresh<Result>(change: Promise<Result>): Promise<Result> {
    const result = await change;
    await settings.refresh();
    return result;
  }
  return {
    listArticles: (actor: Actor, query: list.ArticleListQuery) => list.listAdminArticles(db, actor, query),
    findArticle: (actor: Actor, id: string) => list.findAdminArticle(db, actor, id),
    createArticle: (actor: Actor, form: { title: string }) => articles.createArticle(db, actor, form),
    editArticle: (actor: Actor, id: string, edit: forms.ArticleEdit) => articles.editArticle(db, actor, id, edit),
    publishArticleAt: (actor: Actor, id: string, form: forms.ArticlePublication) =>
      articles.publishArticleAt(db, actor, id, form),
    setArticlePicture: (actor: Actor, id: string, form: { revision: number } & ArticlePicture) =>
      setArticlePicture(parts, actor, id, form),
    deleteArticle: (actor: Actor, id: string) => articles.deleteArticle(db, actor, id),
    restoreArticle: (actor: Actor, id: string) => articles.restoreArticle(db, actor, id),
    purgeDeletedArticles: () => articles.purgeDeletedArticles(db),
    /** Preview of a text as listeners see it. */
    async previewMarkdown(actor: Actor, text: string): Promise<{ html: string; readTime: string }> {
      administratorsOnly(actor);
      await checkMarkdown(text);
      return { html: await renderMarkdown(text), readTime: formatReadTime(readTimeOf(text)) };
    },
    async findTopics(actor: Actor) {
      const counts = await countTopics(db, actor);
      const { value, revision } = await findSetting(db, blogTopics);
      return { revision, topics: value.topics.map((topic) => ({ ...topic, articles: counts[topic.slug] ?? 0 })) };
    },
    changeTopics: (actor: Actor, form: forms.TopicsForm) => thenRefresh(changeTopics(db, actor, form)),
    listInfoPages: (actor: Actor) => texts.listInfoPages(settings, actor),
    findInfoText: (actor: Actor, name: InfoPageName) =>
      texts.findInfoText(db, actor, name, editorial.findInfoDefault(name)),
    changeInfoText: (actor: Actor, name: InfoPageName, change: { text: string | null; revision: number }) =>
      thenRefresh(texts.changeInfoText(db, actor, name, change)),
    async previewInfoPage(actor: Actor, name: InfoPageName, text: string): Promise<InfoPage> {
      administratorsOnly(actor);
      const fault = findInfoFault(text);
      if (fault !== undefined) throw new DomainError('text/unusable', fault.message);
      await checkMarkdown(text);
      return editorial.previewInfoPage(name, text);
    },
    findRetention: (actor: Actor) => texts.findRetention(db, actor),
    changeRetention: (actor: Actor, change: Parameters<typeof texts.changeRetention>[2]) =>
      thenRefresh(texts.changeRetention(db, actor, change)),
    listMails: (actor: Actor) => texts.listMails(settings, actor),
    findMailText: (actor: Actor, key: string) => texts.findMailText(db, actor, key),
    changeMailText: (actor: Actor, key: string, change: { text: MailText | null; revision: number }) =>
      thenRefresh(texts.changeMailText(db, actor, key, change)),
    previewMail: (actor: Actor, key: string, text: MailText) => texts.previewMailText(site, actor, key, text),
  };
}
