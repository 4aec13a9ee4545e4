import { eq, sql } from 'drizzle-orm';
import { type Language, isLanguage, sourceLanguage } from '#formats/languages.ts';
import { inLanguage, language } from '#i18n';
import type { Db } from '../kernel/db.ts';
import type { MailContent } from '../kernel/email-template.ts';
import { users } from './tables.ts';

/** For a new account: it was made on a page in another language. English needs no choice. */
export function chosenLanguage(): { language?: Language } {
  return language() === sourceLanguage ? {} : { language: language() };
}

/** The language that the account with this address has chosen; English without one. */
export async function languageOf(db: Db, email: string): Promise<Language> {
  const [account] = await db
    .select({ language: sql<unknown>`${users.preferences} ->> 'language'` })
    .from(users)
    .where(eq(users.email, email));
  return isLanguage(account?.language) ? account.language : sourceLanguage;
}

/** A mail in the language of its receiver, whoever causes it. */
export async function mailTo(db: Db, to: string, write: () => MailContent): Promise<{ to: string } & MailContent> {
  return { to, ...inLanguage(await languageOf(db, to), write) };
}
