import { inLanguage } from '#i18n';
import {
  findInfoFault,
  infoPageNames,
  infoPageSetting,
  infoPlaceholders,
  infoTextLength,
  retention,
  type InfoPage,
  type InfoPageName,
  type Retention,
} from '../../editorial/info-pages.ts';
import { checkMarkdown, renderMarkdown } from '../../editorial/markdown.ts';
import { formatReadTime, readTimeOf } from '../../editorial/rules.ts';
import type { Actor } from '../../kernel/actor.ts';
import type { Db } from '../../kernel/db.ts';
import type { MailSite } from '../../kernel/email-template.ts';
import { DomainError } from '../../kernel/errors.ts';
import {
  type MailText,
  findMailFault,
  mailTextLengths,
  placeholdersOf,
  translatedText,
  previewMail,
  translated,
} from '../../kernel/mail-text.ts';
import { languageOfOwnTexts } from '../../settings/languages.ts';
import { findSetting } from '../../settings/change-setting.ts';
import { mailTextSetting } from '../../settings/mail-texts.ts';
import type { Settings } from '../../settings/open-settings.ts';
import { administratorsOnly } from '../administrators-only.ts';
import { findMailKind, mailGroups } from './mail-kinds.ts';
import { changeSiteSetting } from '../settings.ts';

/** Texts of the site that operators change: info pages and mails. */

const conflict = 'text/changed-meanwhile' as const;

export const infoPageTitles: Record<InfoPageName, string> = { about: 'About', terms: 'Terms', privacy: 'Privacy' };

export function listInfoPages(settings: Settings, actor: Actor) {
  administratorsOnly(actor);
  return infoPageNames.map((key) => ({
    key,
    name: infoPageTitles[key],
    isChanged: settings.read(infoPageSetting(key)).text !== null,
  }));
}

/** @param ofSite the site's own text */
export async function findInfoText(db: Db, actor: Actor, name: InfoPageName, ofSite: string) {
  administratorsOnly(actor);
  const { value, revision, changedAt } = await findSetting(db, infoPageSetting(name));
  return {
    text: value.text ?? ofSite,
    isChanged: value.text !== null,
    revision,
    changedAt,
    maxLength: infoTextLength,
    placeholders: Object.entries(infoPlaceholders).map(([placeholder, means]) => ({
      name: placeholder,
      means: means(),
    })),
  };
}
export type InfoForm = Awaited<ReturnType<typeof findInfoText>>;

/** @param change.text null restores the site's own. @throws DomainError for an invalid text */
export async function changeInfoText(
  db: Db,
  actor: Actor,
  name: InfoPageName,
  { text, revision }: { text: string | null; revision: number },
): Promise<void> {
  administratorsOnly(actor);
  if (text !== null) await checkInfoText(text);
  const subject = { setting: infoPageSetting(name), name: `The page ${infoPageTitles[name]}`, conflict };
  await changeSiteSetting(db, actor, subject, { value: { text }, revision });
}

/** As it would be shown, with a text that is not saved. @throws DomainError as `changeInfoText` */
export async function previewInfoPage(
  editorial: { previewInfoPage(name: InfoPageName, text: string): Promise<InfoPage> },
  actor: Actor,
  name: InfoPageName,
  text: string,
): Promise<InfoPage> {
  administratorsOnly(actor);
  await checkInfoText(text);
  return editorial.previewInfoPage(name, text);
}

async function checkInfoText(text: string): Promise<void> {
  const fault = findInfoFault(text);
  if (fault !== undefined) throw new DomainError('text/unusable', fault);
  await checkMarkdown(text);
}

/** A text as listeners see it. */
export async function previewMarkdown(actor: Actor, text: string): Promise<{ html: string; readTime: string }> {
  administratorsOnly(actor);
  await checkMarkdown(text);
  return { html: await renderMarkdown(text), readTime: formatReadTime(readTimeOf(text)) };
}

export async function findRetention(db: Db, actor: Actor): Promise<Retention & { revision: number }> {
  administratorsOnly(actor);
  const { value, revision } = await findSetting(db, retention);
  return { ...value, revision };
}

export async function changeRetention(db: Db, actor: Actor, { revision, ...value }: Retention & { revision: number }) {
  const subject = { setting: retention, name: 'How long logs and backups are kept', conflict };
  await changeSiteSetting(db, actor, subject, { value, revision });
}

export function listMails(settings: Settings, actor: Actor) {
  administratorsOnly(actor);
  return mailGroups.map(({ label, kinds }) => ({
    label: label(),
    mails: kinds.map(({ key, name, when, text }) => {
      const changed = settings.read(mailTextSetting(key)).text;
      return {
        key,
        name: translated(name),
        when: translated(when),
        subject: changed?.subject ?? translated(text.subject),
        isChanged: changed !== null,
      };
    }),
  }));
}

export async function findMailText({ db, settings }: { db: Db; settings: Settings }, actor: Actor, key: string) {
  administratorsOnly(actor);
  const kind = findMailKind(key);
  if (kind === undefined) return undefined;
  const { value, revision, changedAt } = await findSetting(db, mailTextSetting(key));
  return {
    key,
    name: translated(kind.name),
    when: translated(kind.when),
    /** Maximum characters of each part. */
    lengths: mailTextLengths,
    text: value.text ?? inLanguage(languageOfOwnTexts(settings), () => translatedText(kind)),
    isChanged: value.text !== null,
    revision,
    changedAt,
    placeholders: Object.entries(placeholdersOf(kind)).map(([name, { means, isRequired = false }]) => ({
      name,
      means: translated(means),
      isRequired,
    })),
  };
}
export type MailForm = NonNullable<Awaited<ReturnType<typeof findMailText>>>;

/** @param change.text null restores the site's own. @throws DomainError for an invalid text */
export async function changeMailText(
  db: Db,
  actor: Actor,
  key: string,
  { text, revision }: { text: MailText | null; revision: number },
): Promise<void> {
  administratorsOnly(actor);
  const kind = usable(key, text);
  // The log is in English.
  const subject = { setting: mailTextSetting(key), name: `Mail: ${kind.name}`, conflict };
  await changeSiteSetting(db, actor, subject, { value: { text }, revision });
}

/** Filled with samples. @throws DomainError as `changeMailText` */
export function previewMailText(site: MailSite, actor: Actor, key: string, text: MailText) {
  administratorsOnly(actor);
  return previewMail(site, usable(key, text), text);
}

function usable(key: string, text: MailText | null) {
  const kind = findMailKind(key);
  if (kind === undefined) throw new DomainError('request/not-found');
  const fault = text === null ? undefined : findMailFault(kind, text);
  if (fault !== undefined) throw new DomainError('text/unusable', fault);
  return kind;
}
