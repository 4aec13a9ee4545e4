import { createHmac, hkdfSync, randomBytes } from 'node:crypto';
import type { OpenIdProvider, OpenIdVisit } from '../gateways.ts';
import type { Actor } from '../kernel/actor.ts';
import { recordChange } from '../kernel/audit.ts';
import type { Db } from '../kernel/db.ts';
import { isId } from '../kernel/ids.ts';
import type { Viewer } from '../kernel/viewer.ts';
import { roleIn } from '../kernel/rules.ts';
import { verifiedMail } from './mails.ts';
import { findRights, todayOf, verificationLengths } from './rules.ts';
import { type VerificationParts, holdVerification, mailOwners, writeVerification } from './verifications.ts';

/** A provider that says whether it has checked who a person is. */
export type CreatorProvider = {
  name: string;
  /** Creators go there. */
  host: string;
  client: OpenIdProvider;
  claim: string;
  /** Compared with the claim, type and all. */
  value: string | number | boolean;
  /** Claim with the number of the check. */
  reference: string;
  /** A check counts for so many days. */
  days: number;
};

export const visitMinutes = 30;
const dayMs = 24 * 60 * 60 * 1000;

type Refusal = 'not-found' | 'owners-only' | 'not-now' | 'unavailable';
export type CheckFailure = Refusal | 'denied' | 'unchecked' | 'not-verified';

/**
 * Checks of creators by a provider of OpenID Connect. Nothing is stored before the answer: the secrets of a visit follow
 * from a ticket in the browser, the owner, and the key of the site.
 */
export function openProviderChecks({
  provider,
  secret,
  siteUrl,
  ...parts
}: VerificationParts & { provider: CreatorProvider | undefined; secret: string; siteUrl: string }) {
  const { db, mail, site } = parts;
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'creator check', 32));

  function visitOf(userId: string, ticket: string): OpenIdVisit {
    const secretOf = (what: string) =>
      createHmac('sha256', key).update(`${what} ${userId} ${ticket}`).digest('base64url');
    const secrets = { state: secretOf('state'), nonce: secretOf('nonce'), codeVerifier: secretOf('verifier') };
    return { returnTo: `${siteUrl}/verification/return`, ...secrets };
  }

  /** @returns the creator, or why this actor cannot have it checked now */
  async function findCheckable(tx: Db, actor: Actor, voiceIdOrSlug: string) {
    const held = await holdVerification(tx, voiceIdOrSlug);
    if (held === undefined) return 'not-found';
    const { voice, row } = held;
    const role = roleIn(actor, voice.id);
    if (role === undefined) return 'not-found';
    // Operators have no identity of the creator's.
    if (role !== 'owner' || actor.kind !== 'user') return 'owners-only';
    const facts = row ?? { decision: null, verifiedUntil: null, askAgainOn: null, askedAt: null };
    const { mayBeChecked } = findRights({ ...facts, isAsked: facts.askedAt !== null }, todayOf());
    return mayBeChecked ? { voice, row, userId: actor.id } : 'not-now';
  }

  return {
    provider: provider && { name: provider.name, host: provider.host },

    /** @returns the provider’s page, and a ticket that the browser keeps until it comes back */
    async beginCheck(
      viewer: Viewer,
      voiceIdOrSlug: string,
    ): Promise<{ ok: true; page: URL; ticket: string } | { ok: false; reason: Refusal }> {
      if (provider === undefined || viewer.kind === 'visitor') return { ok: false, reason: 'not-found' };
      const found = await db.transaction((tx) => findCheckable(tx, viewer, voiceIdOrSlug));
      if (typeof found === 'string') return { ok: false, reason: found };
      const ticket = `${found.voice.id}.${Date.now()}.${randomBytes(32).toString('base64url')}`;
      const page = await provider.client.begin(visitOf(found.userId, ticket));
      return page === undefined ? { ok: false, reason: 'unavailable' } : { ok: true, page, ticket };
    },

    /** Records a check that the provider confirms. @param back the address that the browser came back to */
    async finishCheck(
      actor: Viewer,
      ticket: string,
      back: URL,
    ): Promise<{ ok: true } | { ok: false; reason: CheckFailure }> {
      const [voiceId = '', begunAt] = ticket.split('.');
      const isInTime = Date.now() - Number(begunAt) < visitMinutes * 60_000;
      if (provider === undefined || !isId(voiceId) || actor.kind === 'visitor')
        return { ok: false, reason: 'not-found' };
      if (!isInTime) return { ok: false, reason: 'unchecked' };
      const { client, claim, value, reference: number, name, days } = provider;
      const answer = await client.finish(back, visitOf(actor.id, ticket), [claim, number]);
      if (!answer.ok) return { ok: false, reason: answer.reason === 'invalid' ? 'unchecked' : answer.reason };
      if (answer.claims[claim] !== value) return { ok: false, reason: 'not-verified' };
      const checkedOn = todayOf();
      const until = todayOf(new Date(Date.now() + days * dayMs));
      const record = { method: name, reference: referenceIn(answer.claims[number]), checkedOn, verifiedUntil: until };
      return db.transaction(async (tx) => {
        const found = await findCheckable(tx, actor, voiceId);
        if (typeof found === 'string') return { ok: false, reason: found } as const;
        const { voice } = found;
        const nobody = { decidedBy: null, decidedByName: null, askedAt: null, askedBy: null, appeal: null };
        const set = {
          ...record,
          ...nobody,
          decision: 'verified' as const,
          decidedAt: new Date(),
          reason: null,
          askAgainOn: null,
        };
        await writeVerification(tx, voice.id, set);
        await recordChange(tx, {
          actor,
          role: 'owner',
          action: 'verification.provider',
          subject: { type: 'voice', id: voice.id, name: voice.name },
          voiceId: voice.id,
          after: record,
        });
        const told = { creator: voice.name, slug: voice.slug, until };
        await mailOwners({ db: tx, mail }, voice.id, () => verifiedMail(site, told));
        return { ok: true } as const;
      });
    },
  };
}

/** One line, as operators write it; null where the provider names none. */
function referenceIn(claim: unknown): string | null {
  if (typeof claim !== 'string' && typeof claim !== 'number') return null;
  const text = String(claim)
    .replaceAll(/[\p{C}\s]+/gu, ' ')
    .trim();
  return text === '' ? null : [...text].slice(0, verificationLengths.reference).join('');
}
