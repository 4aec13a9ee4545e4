import { sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Db } from '../../kernel/db.ts';
import { findSetting } from '../../settings/change-setting.ts';
import type { Setting } from '../../settings/setting.ts';

/** Needed for a publication, beside a review; nothing is, until an operator says so. */
export const ChainSettings = z.object({
  creators: z.boolean().default(false).describe('The creator is verified'),
  agreement: z.boolean().default(false).describe('An owner has agreed to the creator agreement in force'),
  consents: z.boolean().default(false).describe('Everyone who is heard has agreed to be recorded and published'),
  performers: z.boolean().default(false).describe('Each performer has a record of a check'),
});
export type ChainSettings = z.infer<typeof ChainSettings>;

export const chainSetting = { key: 'chain', schema: ChainSettings } satisfies Setting;

export const chainGaps = [
  'not-verified',
  'agreement',
  'nobody-heard',
  'consent-against',
  'consent-missing',
  'performer-not-verified',
] as const;
/** `consent-against`: a performer has refused, or taken their consent back. */
export type ChainGap = (typeof chainGaps)[number];

type Facts = Record<'isVerified' | 'agreementWaits' | 'isNobody' | 'isAgainst' | 'isMissing' | 'isUnchecked', boolean>;

/**
 * The first missing link between an audio and the consent of those who are heard. A consent belongs to the sound that was
 * agreed to. One who has refused, or taken the consent back, keeps the audio from listeners whatever the settings say.
 */
export async function findChainGap(tx: Db, audioId: string): Promise<ChainGap | undefined> {
  const needs = (await findSetting(tx, chainSetting)).value;
  const { rows } = await tx.execute<Facts>(sql`
    select exists (select from voice_verifications v where v.voice_id = a.voice_id and v.decision = 'verified'
        and v.verified_until > now() - interval '1 day') as "isVerified",
      exists (select from creator_agreements g where g.version = (select max(version) from creator_agreements)
        and not exists (select from agreement_acceptances t where t.voice_id = a.voice_id and t.version = g.version))
        as "agreementWaits",
      exists (select from unheard_owners u where u.audio_id = a.id)
        and not exists (select from consents c where c.audio_id = a.id) as "isNobody",
      exists (select from consents c where c.audio_id = a.id and c.state in ('refused', 'withdrawn')) as "isAgainst",
      exists (select from consents c where c.audio_id = a.id
        and not (c.state = 'given' and c.recorded and c.published and c.sound = a.file_key)) as "isMissing",
      exists (select from consents c join performers p on p.id = c.performer_id where c.audio_id = a.id
        and not coalesce(p.verified_until > now() - interval '1 day', false)) as "isUnchecked"
    from audios a where a.id = ${audioId}`);
  const [found] = rows;
  if (found === undefined) return undefined;
  if (needs.creators && !found.isVerified) return 'not-verified';
  if (needs.agreement && found.agreementWaits) return 'agreement';
  if (needs.consents && found.isNobody) return 'nobody-heard';
  if (found.isAgainst) return 'consent-against';
  if (needs.consents && found.isMissing) return 'consent-missing';
  if (needs.performers && found.isUnchecked) return 'performer-not-verified';
  return undefined;
}
