import type { InfoPage, InfoPageName } from '../../editorial/info-pages.ts';
import type { Blobs, Covers } from '../../gateways.ts';
import type { Actor } from '../../kernel/actor.ts';
import { bind } from '../../kernel/bind.ts';
import type { Db } from '../../kernel/db.ts';
import type { MailSite } from '../../kernel/email-template.ts';
import type { Settings } from '../../settings/open-settings.ts';
import { listAgreements, publishAgreement } from './agreement.ts';
import { findArticle, listArticles } from './article-list.ts';
import { setArticlePicture } from './article-pictures.ts';
import { changeTopics, findTopics } from './article-topics.ts';
import { createArticle, editArticle, publishArticleAt, purgeDeletedArticles, setArticleDeleted } from './articles.ts';
import * as texts from './site-texts.ts';
import { exportTranslations, importTranslations } from './translation-files.ts';
import {
  changeTranslations,
  findTranslatedShare,
  findTranslations,
  findUntranslated,
  listTranslations,
} from './translations.ts';

export type TextParts = {
  db: Db;
  settings: Settings;
  site: MailSite;
  blobs: Blobs;
  covers: Covers;
  editorial: {
    findInfoDefault(name: InfoPageName): string;
    findInfoTranslation(name: InfoPageName): string;
    previewInfoPage(name: InfoPageName, text: string): Promise<InfoPage>;
  };
};

/** Articles, info pages and mails. */
export function openTexts(parts: TextParts) {
  const { db, settings, site, editorial } = parts;
  const { changeInfoText, changeMailText, changeRetention, findMailText, findRetention } = texts;
  const { listInfoPages, listMails, previewMailText, previewMarkdown, previewInfoPage } = texts;
  return {
    ...bind(db, { createArticle, editArticle, publishArticleAt, purgeDeletedArticles, setArticleDeleted }),
    ...bind(db, { listAgreements, publishAgreement }),
    ...bind(db, { findArticle, listArticles, findTopics, findRetention }),
    ...refreshAfter(settings, bind(db, { changeInfoText, changeMailText, changeRetention, changeTopics })),
    ...bind(parts, {
      setArticlePicture,
      exportTranslations,
      findMailText,
      findTranslatedShare,
      findTranslations,
      findUntranslated,
      listTranslations,
    }),
    ...refreshAfter(settings, bind(parts, { changeTranslations, importTranslations })),
    ...bind(settings, { listInfoPages, listMails }),
    ...bind(site, { previewMailText }),
    ...bind(editorial, { previewInfoPage }),
    previewMarkdown,
    findInfoText: (actor: Actor, name: InfoPageName) =>
      texts.findInfoText(db, actor, name, editorial.findInfoDefault(name)),
  };
}

/** This process uses the changes at once; the others are notified. */
function refreshAfter<Changes extends object>(settings: Pick<Settings, 'refresh'>, changes: Changes): Changes {
  const refreshing = Object.entries(changes).map(([name, change]) => [
    name,
    async (...given: unknown[]) => {
      const result: unknown = await change(...given);
      await settings.refresh();
      return result;
    },
  ]);
  return Object.fromEntries(refreshing) as Changes;
}
