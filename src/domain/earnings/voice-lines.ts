import { and, asc, eq, inArray, sql } from 'drizzle-orm';
import { audioSums } from '../admin/money/ledger-sums.ts';
import { amountsOf, splitAmount } from '../admin/money/month-lines.ts';
import { payoutAmounts, payoutLines, payoutShares } from '../admin/tables.ts';
import { imageUrl } from '../catalogue/audios.ts';
import { audios, voices } from '../catalogue/tables.ts';
import type { Db } from '../kernel/db.ts';
import { sumOpen, type MonthFacts } from './month-facts.ts';
import { type NamedShare, readSharedAudios, readShares } from './shares.ts';
import { type Amounts, addAmounts } from './rules.ts';

/** An audio in a month. */
export type EarningLine = {
  voiceId: string;
  audioId: string;
  /** Null: deleted. */
  title: string | null;
  slug: string | null;
  imageUrl: string | null;
  milliseconds: number;
  /** Part of `milliseconds`. */
  trialMs: number;
  /** Before splits; an estimate in an open month. */
  amounts: Amounts;
  /** The creator’s part of `amounts`. */
  yours: Amounts;
  /** Empty: nothing was agreed, so that the audio’s creator gets the whole. */
  shares: NamedShare[];
};

type Row = Omit<EarningLine, 'amounts' | 'yours' | 'shares'>;

/** A creator's part of the pools before splits; in an open month an estimate, rounded down. */
async function readAmounts(db: Db, facts: MonthFacts, voiceId: string): Promise<Amounts> {
  const { month, currency, pools, milliseconds } = facts;
  if (facts.lockedAt === null) {
    const own = await sumOpen(db, month, facts.countsTrials, voiceId);
    const part = (pool: number) => (milliseconds <= 0 ? 0 : Math.floor((pool * Math.max(0, own)) / milliseconds));
    return Object.fromEntries(Object.entries(pools).map(([code, pool]) => [code, part(pool)]));
  }
  const [share] = await db
    .select({ amount: payoutShares.amount })
    .from(payoutShares)
    .where(and(eq(payoutShares.month, `${month}-01`), eq(payoutShares.voiceId, voiceId)));
  const further = await db
    .select({ currency: payoutAmounts.currency, amount: payoutAmounts.amount })
    .from(payoutAmounts)
    .where(and(eq(payoutAmounts.month, `${month}-01`), eq(payoutAmounts.voiceId, voiceId)));
  const amounts = further.map((one) => [one.currency, one.amount] as const);
  return Object.fromEntries(share === undefined ? amounts : [[currency, share.amount], ...amounts]);
}

/** A creator's audios, in the order of their ids, in which their amounts are shared out. */
async function readRows(db: Db, facts: MonthFacts, voiceId: string): Promise<Row[]> {
  const { month, countsTrials, lockedAt } = facts;
  const source =
    lockedAt === null
      ? sql`(select l.*, null::text as audio_title from ${audioSums(month, countsTrials, voiceId)} l)`
      : sql`(select * from ${payoutLines} where month = ${`${month}-01`} and voice_id = ${voiceId})`;
  const { rows } = await db.execute<Row & { imageKey: string | null }>(sql`
    select l.voice_id as "voiceId", l.audio_id as "audioId", coalesce(a.title, l.audio_title) as title,
      case when a.deleted_at is null then a.slug end as slug, a.image_key as "imageKey",
      l.milliseconds::float8 as milliseconds, l.trial_ms::float8 as "trialMs"
    from ${source} l left join ${audios} a on a.id = l.audio_id order by l.audio_id`);
  return rows.map(({ imageKey, ...row }) => ({ ...row, imageUrl: imageUrl(imageKey) }));
}

/** All audios of one creator. @param forVoiceId whose part `yours` is */
async function readLinesOf(db: Db, facts: MonthFacts, voiceId: string, forVoiceId: string): Promise<EarningLine[]> {
  const [rows, amounts] = [await readRows(db, facts, voiceId), await readAmounts(db, facts, voiceId)];
  const shares = await readShares(
    db,
    facts,
    rows.map(({ audioId }) => audioId),
  );
  const parts = Object.entries(amounts).map(([code, amount]) => [code, amountsOf(amount, rows)] as const);
  return rows.map((row, index) => {
    const own = Object.fromEntries(parts.map(([code, list]) => [code, list[index] ?? 0]));
    const agreed = shares.get(row.audioId);
    const yours = Object.entries(own).map(
      ([code, amount]) => [code, splitAmount(amount, row.voiceId, agreed).get(forVoiceId) ?? 0] as const,
    );
    return { ...row, amounts: own, yours: Object.fromEntries(yours), shares: agreed ?? [] };
  });
}

export type VoiceLines = {
  own: EarningLine[];
  /** A month that a former version locked: it has no lines, only the creator's whole. */
  whole: { milliseconds: number; amounts: Amounts } | null;
  /** Audios of others, with a share in them. */
  others: (EarningLine & { creator: string })[];
};

/** In the order of the ids. */
export async function readVoiceLines(db: Db, facts: MonthFacts, voiceId: string): Promise<VoiceLines> {
  if (facts.lockedAt !== null && facts.root === null)
    return { own: [], others: [], whole: await readWhole(db, facts, voiceId) };
  const own = await readLinesOf(db, facts, voiceId, voiceId);
  const shared = await readSharedAudios(db, facts, voiceId);
  const owners = await readOwners(db, facts, shared, voiceId);
  const others: VoiceLines['others'] = [];
  for (const { id, name } of owners) {
    const lines = await readLinesOf(db, facts, id, voiceId);
    others.push(...lines.filter(({ audioId }) => shared.includes(audioId)).map((line) => ({ ...line, creator: name })));
  }
  return { own, others, whole: null };
}

async function readWhole(db: Db, facts: MonthFacts, voiceId: string): Promise<VoiceLines['whole']> {
  const [share] = await db
    .select({ milliseconds: payoutShares.milliseconds })
    .from(payoutShares)
    .where(and(eq(payoutShares.month, `${facts.month}-01`), eq(payoutShares.voiceId, voiceId)));
  return { milliseconds: share?.milliseconds ?? 0, amounts: await readAmounts(db, facts, voiceId) };
}

/** Milliseconds of a creator's own audios. */
export function heardOf({ own, whole }: VoiceLines): number {
  return whole?.milliseconds ?? own.reduce((sum, { milliseconds }) => sum + milliseconds, 0);
}

/** Amounts of a creator's own audios, before splits or after them. */
export function ownAmountsOf({ own, whole }: VoiceLines, of: 'amounts' | 'yours'): Amounts {
  return whole?.amounts ?? sumOf(own, of);
}

/** Creators of the audios in that month. A locked one names them as they were. */
async function readOwners(
  db: Db,
  { month, lockedAt }: MonthFacts,
  audioIds: string[],
  exceptId: string,
): Promise<{ id: string; name: string }[]> {
  if (audioIds.length === 0) return [];
  const rows =
    lockedAt === null
      ? await db
          .selectDistinct({ id: voices.id, name: voices.name })
          .from(audios)
          .innerJoin(voices, eq(voices.id, audios.voiceId))
          .where(inArray(audios.id, audioIds))
          .orderBy(asc(voices.id))
      : await db
          .selectDistinct({ id: payoutLines.voiceId, name: payoutShares.voiceName })
          .from(payoutLines)
          .innerJoin(
            payoutShares,
            and(eq(payoutShares.month, payoutLines.month), eq(payoutShares.voiceId, payoutLines.voiceId)),
          )
          .where(and(eq(payoutLines.month, `${month}-01`), inArray(payoutLines.audioId, audioIds)))
          .orderBy(asc(payoutLines.voiceId));
  return rows.filter(({ id }) => id !== exceptId);
}

export function sumOf(lines: EarningLine[], of: 'amounts' | 'yours'): Amounts {
  return lines.reduce<Amounts>((sum, line) => addAmounts(sum, line[of]), {});
}
