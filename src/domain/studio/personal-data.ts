import { and, asc, eq, isNotNull, ne, or, sql } from 'drizzle-orm';
import { credits } from '../catalogue/credits/tables.ts';
import { audios, reviews, voices } from '../catalogue/tables.ts';
import { voiceOwners } from '../community/tables.ts';
import { auditEntries } from '../kernel/audit.ts';
import { lazyRows } from '../kernel/lazy-rows.ts';
import type { PersonalData } from '../kernel/personal-data.ts';
import { openPaidPayee, readOwnPayee } from './payees/sealed-payees.ts';
import { payees, paymentPayees } from './payees/tables.ts';
import { splitParts, splits } from './splits/tables.ts';
import { audioFieldChanges, feedImports, startedBulkActs, uploads } from './tables.ts';

/**
 * Changes and finished uploads outlive the account, without its name; acts as admin keep it, for those who come after.
 * Credits and shares name a creator's page, which outlives it too. Accounts need to know whom the site paid: that stays
 * for years, without the account.
 */
export const personalData: PersonalData = {
  tables: [
    'audit_entries',
    'uploads',
    'feed_imports',
    'audio_field_changes',
    'bulk_acts',
    'reviews',
    'credits',
    'splits',
    'split_parts',
    'payees',
    'voice_payees',
    'payment_payees',
  ],
  async exportOf(db, userId, secret) {
    const changes = lazyRows(db, (on) =>
      on
        .select({
          at: auditEntries.createdAt,
          action: auditEntries.action,
          subject: auditEntries.subjectName,
          before: auditEntries.before,
          after: auditEntries.after,
          address: auditEntries.actorAddress,
        })
        .from(auditEntries)
        .where(eq(auditEntries.actorId, userId))
        .orderBy(asc(auditEntries.id)),
    );
    const files = lazyRows(db, (on) =>
      on
        .select({
          id: uploads.id,
          fileName: uploads.fileName,
          title: uploads.title,
          bytes: uploads.bytes,
          state: uploads.state,
          createdAt: uploads.createdAt,
        })
        .from(uploads)
        .where(eq(uploads.userId, userId))
        .orderBy(asc(uploads.id)),
    );
    const imports = lazyRows(db, (on) =>
      on
        .select({
          url: feedImports.url,
          title: feedImports.title,
          state: feedImports.state,
          confirmedAt: feedImports.confirmedAt,
          createdAt: feedImports.createdAt,
        })
        .from(feedImports)
        .where(eq(feedImports.userId, userId))
        .orderBy(asc(feedImports.id)),
    );
    const edits = lazyRows(db, (on) =>
      on
        .select({
          audioId: audioFieldChanges.audioId,
          field: audioFieldChanges.field,
          changedAt: audioFieldChanges.changedAt,
        })
        .from(audioFieldChanges)
        .where(eq(audioFieldChanges.userId, userId))
        .orderBy(asc(audioFieldChanges.audioId), asc(audioFieldChanges.field)),
    );
    const bulkActs = lazyRows(db, (on) =>
      on
        .select({ verb: startedBulkActs.verb, total: startedBulkActs.total, createdAt: startedBulkActs.createdAt })
        .from(startedBulkActs)
        .where(eq(startedBulkActs.actorId, userId))
        .orderBy(asc(startedBulkActs.id)),
    );
    const reviewed = lazyRows(db, (on) =>
      on
        .select({
          audioId: reviews.audioId,
          sentAt: reviews.sentAt,
          isSender: sql<boolean>`${reviews.sentBy} is not distinct from ${userId}`,
          isReviewer: sql<boolean>`${reviews.decidedBy} is not distinct from ${userId}`,
          decision: reviews.decision,
          decidedAt: reviews.decidedAt,
          reason: reviews.reason,
        })
        .from(reviews)
        .where(or(eq(reviews.sentBy, userId), eq(reviews.decidedBy, userId)))
        .orderBy(asc(reviews.id)),
    );
    const ownCredits = lazyRows(db, (on) =>
      on
        .select({
          creator: voices.name,
          audio: audios.title,
          role: credits.role,
          state: credits.state,
          askedAt: credits.askedAt,
          answeredAt: credits.answeredAt,
        })
        .from(credits)
        .innerJoin(voices, eq(voices.id, credits.voiceId))
        .innerJoin(voiceOwners, eq(voiceOwners.voiceId, credits.voiceId))
        .innerJoin(audios, eq(audios.id, credits.audioId))
        .where(and(eq(voiceOwners.userId, userId), isNotNull(credits.askedAt)))
        .orderBy(asc(credits.id)),
    );
    const ownShares = lazyRows(db, (on) =>
      on
        .select({
          creator: voices.name,
          audio: audios.title,
          share: splitParts.share,
          state: splitParts.state,
          reason: splitParts.reason,
          holdsFrom: splits.holdsFrom,
          answeredAt: splitParts.answeredAt,
        })
        .from(splitParts)
        .innerJoin(splits, eq(splits.id, splitParts.splitId))
        .innerJoin(voices, eq(voices.id, splitParts.voiceId))
        .innerJoin(voiceOwners, and(eq(voiceOwners.voiceId, splitParts.voiceId), eq(voiceOwners.role, 'owner')))
        .innerJoin(audios, eq(audios.id, splits.audioId))
        .where(eq(voiceOwners.userId, userId))
        .orderBy(asc(splits.id), asc(splitParts.voiceId)),
    );
    const paid = lazyRows(db, (on) =>
      on
        .select({
          paymentId: paymentPayees.paymentId,
          sealed: paymentPayees.sealed,
          amount: sql<number>`p.amount::float8`,
          currency: sql<string>`p.currency`,
          reference: sql<string>`p.reference`,
          paidAt: sql<string>`p.paid_at`,
        })
        .from(paymentPayees)
        .innerJoin(sql`payout_payments p`, sql`p.id = ${paymentPayees.paymentId}`)
        .where(eq(paymentPayees.userId, userId))
        .orderBy(asc(paymentPayees.paymentId)),
    );
    return {
      payee: {
        entered: (await readOwnPayee(db, secret, userId)) ?? null,
        payments: paid.map(({ paymentId, sealed, ...payment }) => ({
          ...payment,
          payee: openPaidPayee(secret, { paymentId, sealed }) ?? null,
        })),
      },
      shares: ownShares,
      changes,
      uploads: files,
      feedImports: imports,
      edits,
      bulkActs,
      reviews: reviewed,
      credits: ownCredits,
    };
  },
  async erase(db, userId) {
    await db.update(auditEntries).set({ actorId: null }).where(eq(auditEntries.actorId, userId));
    // Only its uploader could finish it.
    const unfinished = await db
      .delete(uploads)
      .where(and(eq(uploads.userId, userId), ne(uploads.state, 'ready')))
      .returning({ id: uploads.id });
    await db.update(uploads).set({ userId: null }).where(eq(uploads.userId, userId));
    // Nobody could go on with it; what is here stays.
    await db.delete(feedImports).where(and(eq(feedImports.userId, userId), ne(feedImports.state, 'done')));
    await db.update(feedImports).set({ userId: null }).where(eq(feedImports.userId, userId));
    await db.delete(payees).where(eq(payees.userId, userId));
    await db.update(paymentPayees).set({ userId: null }).where(eq(paymentPayees.userId, userId));
    await db.update(audioFieldChanges).set({ userId: null }).where(eq(audioFieldChanges.userId, userId));
    await db.update(reviews).set({ sentBy: null }).where(eq(reviews.sentBy, userId));
    await db.update(reviews).set({ decidedBy: null }).where(eq(reviews.decidedBy, userId));
    await db.update(startedBulkActs).set({ actorId: null }).where(eq(startedBulkActs.actorId, userId));
    return unfinished.map(({ id }) => id);
  },
};
