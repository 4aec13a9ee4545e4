import { desc, eq } from 'drizzle-orm';
import { users } from '../../identity/tables.ts';
import type { Actor } from '../../kernel/actor.ts';
import type { Db } from '../../kernel/db.ts';
import { findCurrentAgreement, suggestedAgreement } from '../../verification/agreement.ts';
import type { AgreementForm } from '../../verification/forms.ts';
import { agreementAcceptances, creatorAgreements } from '../../verification/tables.ts';
import { administratorsOnly } from '../administrators-only.ts';
import { recordByOperator } from '../record.ts';

/** All versions of the creator agreement, the newest first, with the creators who agreed. */
export async function listAgreements(db: Db, actor: Actor) {
  administratorsOnly(actor);
  const versions = await db
    .select({
      version: creatorAgreements.version,
      text: creatorAgreements.text,
      publishedAt: creatorAgreements.publishedAt,
      publishedBy: users.username,
      creators: db.$count(agreementAcceptances, eq(agreementAcceptances.version, creatorAgreements.version)),
    })
    .from(creatorAgreements)
    .leftJoin(users, eq(users.id, creatorAgreements.publishedBy))
    .orderBy(desc(creatorAgreements.version))
    .limit(100);
  return { versions, suggested: suggestedAgreement() };
}

/** A new version is asked for before the next publication; what is online stays online. */
export async function publishAgreement(
  db: Db,
  actor: Actor,
  { text, version }: AgreementForm,
): Promise<{ ok: true } | { ok: false; reason: 'changed' }> {
  administratorsOnly(actor);
  return db.transaction(async (tx) => {
    const current = await findCurrentAgreement(tx);
    if ((current?.version ?? 0) + 1 !== version) return { ok: false, reason: 'changed' } as const;
    const publishedBy = actor.kind === 'user' ? actor.id : null;
    const { rowCount } = await tx
      .insert(creatorAgreements)
      .values({ version, text, publishedBy })
      .onConflictDoNothing();
    if (rowCount === 0) return { ok: false, reason: 'changed' } as const;
    await recordByOperator(tx, actor, {
      action: 'agreement.publish',
      subject: { type: 'agreement', id: String(version), name: `Creator agreement, version ${version}` },
      before: { text: current?.text ?? null },
      after: { text },
    });
    return { ok: true } as const;
  });
}
