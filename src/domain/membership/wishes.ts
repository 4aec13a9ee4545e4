import { and, eq, isNotNull, isNull, or } from 'drizzle-orm';
import type { Db } from '../kernel/db.ts';
import { pauses } from './keeping/tables.ts';
import { giftCards, givenMonths } from './tables.ts';

/** Months that move the next charge, or take it back, and have no outcome yet. */
export type Wish = {
  kind: 'card' | 'give' | 'take-back' | 'pause' | 'end-pause';
  id: string;
  months: number;
  wishedAt: Date;
  /** For `take-back` and `end-pause` only; a past one charges at once. */
  backUntil: Date | null;
};

/** At the provider. */
export const keyOf = ({ kind, id }: Pick<Wish, 'kind' | 'id'>) => `${kind} ${id}`;

export const isCardWaiting = and(isNotNull(giftCards.redeemedAt), isNull(giftCards.appliedAt));
export const isGiftWaiting = isNull(givenMonths.appliedAt);
export const isTakeBackWaiting = and(isNotNull(givenMonths.takingBackAt), isNull(givenMonths.takenBackAt));
export const isPauseWaiting = and(isNull(pauses.endedAt), or(isNull(pauses.appliedAt), isNotNull(pauses.endingAt)));

/** In the order in which they move the charge. */
export async function findWishes(db: Db, userId: string): Promise<Wish[]> {
  const cards = await db
    .select()
    .from(giftCards)
    .where(and(isCardWaiting, eq(giftCards.redeemedBy, userId)));
  const given = await db
    .select()
    .from(givenMonths)
    .where(and(or(isGiftWaiting, isTakeBackWaiting), eq(givenMonths.userId, userId)));
  const paused = await db
    .select()
    .from(pauses)
    .where(and(isPauseWaiting, eq(pauses.userId, userId)));
  const wishes: Wish[] = [
    ...cards.map(({ id, months, redeemedAt }) => ({
      kind: 'card' as const,
      id,
      months,
      wishedAt: redeemedAt ?? new Date(),
      backUntil: null,
    })),
    ...given.map(({ id, months, appliedAt, createdAt, takingBackAt, backUntil }) =>
      appliedAt === null
        ? { kind: 'give' as const, id, months, wishedAt: createdAt, backUntil: null }
        : { kind: 'take-back' as const, id, months, wishedAt: takingBackAt ?? createdAt, backUntil },
    ),
    ...paused.map(({ id, months, appliedAt, createdAt, endingAt, backUntil }) =>
      appliedAt === null
        ? { kind: 'pause' as const, id, months, wishedAt: createdAt, backUntil: null }
        : { kind: 'end-pause' as const, id, months, wishedAt: endingAt ?? createdAt, backUntil },
    ),
  ];
  return wishes.toSorted(
    (one, other) => one.wishedAt.getTime() - other.wishedAt.getTime() || (one.id < other.id ? -1 : 1),
  );
}
