import { eq } from 'drizzle-orm';
import { type Language, type OfferedLanguages, firstOffered, isLanguage } from '#formats/languages.ts';
import { inLanguage, language } from '#i18n';
import type { Db } from '../kernel/db.ts';
import type { MailContent } from '../kernel/email-template.ts';
import { findOfferedLanguages } from '../settings/languages.ts';
import type { StoredPreferences } from './preference-rules.ts';
import { users } from './tables.ts';

/** For a new account: it was made on a page in another language. The default one needs no choice. */
export async function chosenLanguage(db: Db): Promise<{ language?: Language }> {
  const [byDefault] = await findOfferedLanguages(db);
  return language() === byDefault ? {} : { language: language() };
}

/**
 * The language that an account has chosen, else the default one.
 * @param offered an account keeps its choice when operators withdraw a language
 */
export function languageIn({ language: chosen }: StoredPreferences, offered: OfferedLanguages): Language {
  return firstOffered(offered, [isLanguage(chosen) ? chosen : undefined]);
}

export async function languageOf(db: Db, email: string, page: Language | null = null): Promise<Language> {
  const [account] = await db.select({ preferences: users.preferences }).from(users).where(eq(users.email, email));
  const chosen = account?.preferences.language;
  return firstOffered(await findOfferedLanguages(db), [isLanguage(chosen) ? chosen : undefined, page ?? undefined]);
}

/**
 * A mail in the language of its receiver, whoever causes it.
 * @param page language of the page that someone without an account, or without a choice, has used
 */
export async function mailTo(
  db: Db,
  to: string,
  write: () => MailContent,
  page: Language | null = null,
): Promise<{ to: string } & MailContent> {
  return { to, ...inLanguage(await languageOf(db, to, page), write) };
}
