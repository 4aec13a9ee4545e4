import { and, eq } from 'drizzle-orm';
import { audios } from '../../catalogue/tables.ts';
import type { Actor } from '../../kernel/actor.ts';
import type { Db } from '../../kernel/db.ts';
import { isId } from '../../kernel/ids.ts';
import { limitToStreams } from '../../verification/consents.ts';
import type { CheckForm, RecordedConsentForm } from '../../verification/forms.ts';
import { consents, performers } from '../../verification/tables.ts';
import { recordByOperator } from '../record.ts';
import { canAdminister } from '../rules.ts';

type Outcome = { ok: true } | { ok: false; reason: 'not-found' };
type Found = { audioId: string; title: string; voiceId: string; fileKey: string; state: string };

async function onPerformer(
  db: Db,
  actor: Actor,
  audioId: string,
  performerId: string,
  run: (tx: Db, found: Found) => Promise<void>,
): Promise<Outcome> {
  if (!canAdminister(actor) || !isId(audioId) || !isId(performerId)) return { ok: false, reason: 'not-found' };
  return db.transaction(async (tx): Promise<Outcome> => {
    const [found] = await tx
      .select({
        audioId: audios.id,
        title: audios.title,
        voiceId: audios.voiceId,
        fileKey: audios.fileKey,
        state: consents.state,
      })
      .from(consents)
      .innerJoin(audios, eq(audios.id, consents.audioId))
      .where(and(eq(consents.audioId, audioId), eq(consents.performerId, performerId)))
      .for('no key update');
    if (found === undefined) return { ok: false, reason: 'not-found' };
    await run(tx, found);
    return { ok: true };
  });
}

/** Records a consent that the operator keeps elsewhere, such as on paper. The link of the performer ends nothing of it. */
export function recordConsent(
  db: Db,
  actor: Actor,
  audioId: string,
  performerId: string,
  { reference, downloaded }: RecordedConsentForm,
): Promise<Outcome> {
  return onPerformer(db, actor, audioId, performerId, async (tx, { title, voiceId, fileKey, state }) => {
    const [performer] = await tx
      .select({ name: performers.name })
      .from(performers)
      .where(eq(performers.id, performerId));
    await tx
      .update(consents)
      .set({
        state: 'given',
        recorded: true,
        published: true,
        downloaded,
        name: performer?.name ?? null,
        sound: fileKey,
        reference,
        answeredAt: new Date(),
      })
      .where(and(eq(consents.audioId, audioId), eq(consents.performerId, performerId)));
    await limitToStreams(tx, audioId);
    await recordByOperator(tx, actor, {
      action: 'consent.record',
      subject: { type: 'audio', id: audioId, name: title },
      voiceId,
      before: { performer: performerId, state },
      after: { performer: performerId, state: 'given', reference, downloaded },
    });
  });
}

/** Records a check of a performer that was made outside of the site. */
export function recordPerformerCheck(
  db: Db,
  actor: Actor,
  audioId: string,
  performerId: string,
  { method, reference, checkedOn, until }: CheckForm,
): Promise<Outcome> {
  return onPerformer(db, actor, audioId, performerId, async (tx, { title, voiceId }) => {
    await tx
      .update(performers)
      .set({ method, reference, checkedOn, verifiedUntil: until })
      .where(eq(performers.id, performerId));
    await recordByOperator(tx, actor, {
      action: 'performer.verify',
      subject: { type: 'audio', id: audioId, name: title },
      voiceId,
      after: { performer: performerId, method, reference, checkedOn, verifiedUntil: until },
    });
  });
}
