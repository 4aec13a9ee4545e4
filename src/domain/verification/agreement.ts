import { and, desc, eq, sql } from 'drizzle-orm';
import { voices } from '../catalogue/tables.ts';
import { users } from '../identity/tables.ts';
import type { Actor } from '../kernel/actor.ts';
import { recordChange } from '../kernel/audit.ts';
import type { Db } from '../kernel/db.ts';
import { newId } from '../kernel/ids.ts';
import { roleIn } from '../kernel/rules.ts';
import { inWords } from '../settings/translations.ts';
import { i18n, language } from '#i18n';
import { agreementBlocks } from './rules.ts';
import { agreementAcceptances, creatorAgreements } from './tables.ts';

/** Offered to operators as the first version. Not legal advice. */
export const suggestedAgreement = () =>
  i18n._(
    /*i18n*/ {
      id: 'agreement.suggested',
      message: `## 1. Your recordings

You keep all rights in your recordings. You allow {site} to offer them to listeners for as long as they are published.

## 2. Who is heard

You name every person who is heard. Each of them agrees through a link, or the operator keeps a record of the agreement. If you record alone, this agreement is yours.

## 3. Synthetic voices

You say whether a voice is synthetic: not at all, partly or wholly. You do not imitate a living person without their written consent.

## 4. What you are paid

Your share of a month is the share of the hours that subscribers heard of you.`,
      values: { site: '{site}' },
    },
  );

type Version = { version: number; text: string; publishedAt: Date };

const withName = (text: string, siteName: string) => text.replaceAll('{site}', siteName);

/** In the language of the request. */
function translated(db: Db, { version, text }: Pick<Version, 'version' | 'text'>, siteName: string): string {
  return withName(inWords(db, 'agreement', { id: String(version), text }, 'text').text, siteName);
}

export async function findCurrentAgreement(db: Db): Promise<Version | undefined> {
  const [current] = await db.select().from(creatorAgreements).orderBy(desc(creatorAgreements.version)).limit(1);
  return current;
}

/** Whether the creator has to agree before the next publication, where that is asked for. */
export const agreementWaitsSql = (voiceId: string) => sql<boolean>`exists (select from creator_agreements g where
  g.version = (select max(version) from creator_agreements) and not exists (select from agreement_acceptances a
    where a.voice_id = ${voiceId} and a.version = g.version))`;

type Parts = { db: Db; site: { readonly name: string } };

/** The version in force with what is new in it, and what the creator agreed to. The caller checks the right. */
export async function findAgreement({ db, site }: Parts, voiceId: string) {
  const [current, accepted] = await Promise.all([
    findCurrentAgreement(db),
    db
      .select({
        version: agreementAcceptances.version,
        acceptedAt: agreementAcceptances.acceptedAt,
        username: users.username,
        language: agreementAcceptances.language,
        text: agreementAcceptances.text,
        source: creatorAgreements.text,
      })
      .from(agreementAcceptances)
      .innerJoin(creatorAgreements, eq(creatorAgreements.version, agreementAcceptances.version))
      .leftJoin(users, eq(users.id, agreementAcceptances.userId))
      .where(eq(agreementAcceptances.voiceId, voiceId))
      .orderBy(desc(agreementAcceptances.version), desc(agreementAcceptances.acceptedAt))
      .limit(100),
  ]);
  if (current === undefined) return undefined;
  const [last] = accepted;
  // In another language, all would be new.
  const former =
    last && (last.language === language() ? last.text : translated(db, { ...last, text: last.source }, site.name));
  const isWaiting = last?.version !== current.version;
  return {
    version: current.version,
    inForceSince: current.publishedAt.toISOString(),
    blocks: agreementBlocks(translated(db, current, site.name), isWaiting ? former : undefined),
    isWaiting,
    accepted: accepted.map(({ version, username, acceptedAt }) => ({
      version,
      /** Null after the account was deleted. */
      by: username,
      at: acceptedAt.toISOString(),
    })),
  };
}
export type Agreement = NonNullable<Awaited<ReturnType<typeof findAgreement>>>;

type AcceptOutcome = { ok: true } | { ok: false; reason: 'not-found' | 'owners-only' | 'changed' };

/** For owners: operators cannot agree in their place. @param version the one that was read */
export async function acceptAgreement(
  { db, site }: Parts,
  actor: Actor,
  voiceId: string,
  version: number,
): Promise<AcceptOutcome> {
  const role = roleIn(actor, voiceId);
  if (role === undefined) return { ok: false, reason: 'not-found' };
  if (role !== 'owner' || actor.kind !== 'user') return { ok: false, reason: 'owners-only' };
  return db.transaction(async (tx): Promise<AcceptOutcome> => {
    const [voice] = await tx
      .select({ name: voices.name })
      .from(voices)
      .where(and(eq(voices.id, voiceId), sql`${voices.deletedAt} is null and ${voices.mergedInto} is null`))
      .for('key share');
    if (voice === undefined) return { ok: false, reason: 'not-found' };
    const current = await findCurrentAgreement(tx);
    if (current === undefined || current.version !== version) return { ok: false, reason: 'changed' };
    const { rowCount } = await tx
      .insert(agreementAcceptances)
      .values({
        id: newId(),
        voiceId,
        version,
        userId: actor.id,
        language: language(),
        text: translated(db, current, site.name),
      })
      .onConflictDoNothing();
    if (rowCount === 1)
      await recordChange(tx, {
        actor,
        role,
        action: 'agreement.accept',
        subject: { type: 'voice', id: voiceId, name: voice.name },
        voiceId,
        after: { version, language: language() },
      });
    return { ok: true };
  });
}
