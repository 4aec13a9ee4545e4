import { eq, gt, lt, or, sql } from 'drizzle-orm';
import type { Db } from '../kernel/db.ts';
import { DomainError } from '../kernel/errors.ts';
import { newId } from '../kernel/ids.ts';
import { searchFeeds, searchRebuilds } from './tables.ts';

/** Seconds until processes have noticed a request: they read settings every 10 s, if the change feed is lost. */
const askedSeconds = 15;
/** Lease of a running rebuild, in seconds. */
const heldSeconds = 60;

const after = (seconds: number) => sql`now() + make_interval(secs => ${seconds})`;

/**
 * Call it in the transaction that asks for a rebuild.
 * @returns the claim, which ends by itself if no process takes it
 * @throws DomainError `search/rebuild-running` while one is asked for, or runs in any process
 */
export async function claimRebuild(tx: Db): Promise<string> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtext('search_rebuilds'))`);
  if (await isRebuilding(tx)) throw new DomainError('search/rebuild-running');
  const claim = newId();
  await tx.insert(searchRebuilds).values({ holder: claim, heldUntil: after(askedSeconds) });
  return claim;
}

/** In any process, asked for ones too. */
export async function isRebuilding(db: Db): Promise<boolean> {
  return (await db.$count(searchRebuilds, gt(searchRebuilds.heldUntil, sql`now()`))) > 0;
}

/** Marks external indexes for a rebuild at the next run. @returns how many there are */
export async function askForRebuild(db: Db): Promise<number> {
  const { rowCount } = await db.update(searchFeeds).set({ rebuiltAt: new Date(0) });
  return rowCount ?? 0;
}

/** Runs a rebuild under a lease, which ends with it. @param claim that it takes over */
export async function holdRebuild(db: Db, rebuild: () => Promise<void>, claim?: string): Promise<void> {
  const holder = newId();
  await db.insert(searchRebuilds).values({ holder, heldUntil: after(heldSeconds) });
  const isOver = lt(searchRebuilds.heldUntil, sql`now()`);
  await db.delete(searchRebuilds).where(claim === undefined ? isOver : or(isOver, eq(searchRebuilds.holder, claim)));
  const isMine = eq(searchRebuilds.holder, holder);
  const extend = () =>
    db
      .update(searchRebuilds)
      .set({ heldUntil: after(heldSeconds) })
      .where(isMine);
  const keepAlive = setInterval(() => void extend().catch(() => undefined), (heldSeconds / 3) * 1000);
  try {
    await rebuild();
  } finally {
    clearInterval(keepAlive);
    await db.delete(searchRebuilds).where(isMine);
  }
}
