import {
  findInfoFault,
  infoPageNames,
  infoPageSetting,
  infoPlaceholders,
  infoTextLength,
  retention,
} from '../../editorial/info-pages.ts';
import type { InfoPage, InfoPageName, Retention } from '../../editorial/info-pages.ts';
import { checkMarkdown, renderMarkdown } from '../../editorial/markdown.ts';
import { formatReadTime, readTimeOf } from '../../editorial/rules.ts';
import type { Actor } from '../../kernel/actor.ts';
import type { Db } from '../../kernel/db.ts';
import type { MailSite } from '../../kernel/email-template.ts';
import { DomainError } from '../../kernel/errors.ts';
import type { MailText } from '../../kernel/mail-text.ts';
import { findMailFault, mailTextLengths, placeholdersOf, previewMail } from '../../kernel/mail-text.ts';
import { findSetting } from '../../settings/change-setting.ts';
import { mailTextSetting } from '../../settings/mail-texts.ts';
import type { Settings } from '../../settings/open-settings.ts';
import { administratorsOnly } from '../administrators-only.ts';
import { findMailKind, mailGroups } from './mail-kinds.ts';
import { settingChanged } from '../../identity/setting-changes.ts';
import { changeSiteSetting } from '../settings.ts';

/** Texts of the site that operators change: info pages and mails. */

export const infoPageTitles: Record<InfoPageName, string> = { about: 'About', terms: 'Terms', privacy: 'Privacy' };

export type ListedText = { key: string; name: string; isChanged: boolean };

export function listInfoPages(settings: Settings, actor: Actor): (ListedText & { key: InfoPageName })[] {
  administratorsOnly(actor);
  return infoPageNames.map((key) => ({
    key,
    name: infoPageTitles[key],
    isChanged: settings.read(infoPageSetting(key)).text !== null,
  }));
}

export type StoredText<Text> = {
  /** The operators' text, or the site's own. */
  text: Text;
  isChanged: boolean;
  revision: number;
  /** ISO 8601; null: never. */
  changedAt: string | null;
};

export type InfoForm = StoredText<string> & { maxLength: number; placeholders: { name: string; means: string }[] };

export async function findInfoText(db: Db, actor: Actor, name: InfoPageName, ofSite: string): Promise<InfoForm> {
  administratorsOnly(actor);
  const { value, revision, changedAt } = await findSetting(db, infoPageSetting(name));
  return {
    text: value.text ?? ofSite,
    isChanged: value.text !== null,
    revision,
    changedAt: changedAt && changedAt.toISOString(),
    maxLength: infoTextLength,
    placeholders: Object.entries(infoPlaceholders).map(([name, means]) => ({ name: name, means })),
  };
}

/** @param change.text null restores the site's own. @throws DomainError for an invalid text */
export async function changeInfoText(
  db: Db,
  actor: Actor,
  name: InfoPageName,
  { text, revision }: { text: string | null; revision: number },
): Promise<void> {
  administratorsOnly(actor);
  if (text !== null) await checkInfoText(text);
  const subject = { setting: infoPageSetting(name), name: `The page ${infoPageTitles[name]}` };
  await orConflict(db, subject.setting.key, changeSiteSetting(db, actor, subject, { value: { text }, revision }));
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
  if (fault !== undefined) throw new DomainError('text/unusable', fault.message);
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

export async function changeRetention(
  db: Db,
  actor: Actor,
  { revision, ...value }: Retention & { revision: number },
): Promise<void> {
  const subject = { setting: retention, name: 'How long logs and backups are kept' };
  await orConflict(db, subject.setting.key, changeSiteSetting(db, actor, subject, { value, revision }));
}

export function listMails(
  settings: Settings,
  actor: Actor,
): { label: string; mails: (ListedText & { when: string; subject: string })[] }[] {
  administratorsOnly(actor);
  return mailGroups.map(({ label, kinds }) => ({
    label,
    mails: kinds.map(({ key, name, when, text }) => {
      const changed = settings.read(mailTextSetting(key)).text;
      return { key, name, when, subject: (changed ?? text).subject, isChanged: changed !== null };
    }),
  }));
}

export type MailForm = StoredText<MailText> & {
  key: string;
  name: string;
  when: string;
  placeholders: { name: string; means: string; isRequired: boolean }[];
  /** Maximum characters of each part. */
  lengths: typeof mailTextLengths;
};

export async function findMailText(db: Db, actor: Actor, key: string): Promise<MailForm | undefined> {
  administratorsOnly(actor);
  const kind = findMailKind(key);
  if (kind === undefined) return undefined;
  const { value, revision, changedAt } = await findSetting(db, mailTextSetting(key));
  return {
    key,
    name: kind.name,
    when: kind.when,
    lengths: mailTextLengths,
    text: value.text ?? kind.text,
    isChanged: value.text !== null,
    revision,
    changedAt: changedAt && changedAt.toISOString(),
    placeholders: Object.entries(placeholdersOf(kind)).map(([name, { means, isRequired = false }]) => ({
      name,
      means,
      isRequired,
    })),
  };
}

/** @param change.text null restores the site's own. @throws DomainError for an invalid text */
export async function changeMailText(
  db: Db,
  actor: Actor,
  key: string,
  { text, revision }: { text: MailText | null; revision: number },
): Promise<void> {
  administratorsOnly(actor);
  const kind = usable(key, text);
  const subject = { setting: mailTextSetting(key), name: `Mail: ${kind.name}` };
  await orConflict(db, subject.setting.key, changeSiteSetting(db, actor, subject, { value: { text }, revision }));
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
  if (fault !== undefined) throw new DomainError('text/unusable', fault.message);
  return kind;
}

async function orConflict(db: Db, key: string, change: Promise<boolean>): Promise<void> {
  if (!(await change)) throw await settingChanged(db, key, 'text/changed-meanwhile');
}
