import { createHash } from 'node:crypto';
import { lt } from 'drizzle-orm';
import { RateLimiterDrizzle } from 'rate-limiter-flexible';
import type { Db } from '../db.ts';
import { attempts } from './tables.ts';

/** How many tries in how many seconds, of one account (or username, or e-mail) and of one address. */
const limits = {
  'log-in': { account: { points: 10, duration: 15 * 60 }, address: { points: 100, duration: 15 * 60 } },
  register: { account: { points: 10, duration: 60 * 60 }, address: { points: 20, duration: 60 * 60 } },
  reset: { account: { points: 3, duration: 60 * 60 }, address: { points: 20, duration: 60 * 60 } },
  /** Passwords asked for inside an account: change, deletion, new e-mail. */
  password: { account: { points: 10, duration: 15 * 60 }, address: { points: 100, duration: 15 * 60 } },
  /** Each that succeeds sends a mail, which may be to a stranger, so that none is given back. */
  'new-password': { account: { points: 20, duration: 60 * 60 }, address: { points: 100, duration: 60 * 60 } },
  'new-email': { account: { points: 20, duration: 60 * 60 }, address: { points: 60, duration: 60 * 60 } },
  'mail-to-stranger': { account: { points: 3, duration: 60 * 60 }, address: { points: 60, duration: 60 * 60 } },
  /** Links of mails that are followed; with Firebase each is a call to Google. */
  link: { account: { points: 60, duration: 60 * 60 }, address: { points: 60, duration: 60 * 60 } },
  /** Each change empties the caches of every process. */
  profile: { account: { points: 30, duration: 10 * 60 }, address: { points: 300, duration: 10 * 60 } },
  export: { account: { points: 10, duration: 60 * 60 }, address: { points: 60, duration: 60 * 60 } },
  /** What everybody reads, and what operators have to look at. */
  comment: { account: { points: 10, duration: 5 * 60 }, address: { points: 60, duration: 5 * 60 } },
  report: { account: { points: 30, duration: 60 * 60 }, address: { points: 120, duration: 60 * 60 } },
  /** What everybody sees changes, and caches are emptied. */
  publicity: { account: { points: 60, duration: 10 * 60 }, address: { points: 300, duration: 10 * 60 } },
  /** Codes that are guessed: of gift cards and promotions. */
  code: { account: { points: 20, duration: 15 * 60 }, address: { points: 100, duration: 15 * 60 } },
  /** Cards that are tried out: what a thief does with a list of them. */
  card: { account: { points: 30, duration: 60 * 60 }, address: { points: 200, duration: 60 * 60 } },
  username: { account: { points: 1000, duration: 60 }, address: { points: 120, duration: 60 } },
} as const;

export type AttemptKind = keyof typeof limits;
/** Whom a try is counted for: an account's e-mail or id, and the client's address. Kept only as a hash. */
export type AttemptOf = { account?: string | undefined; address?: string | undefined };
export type AttemptScope = keyof AttemptOf;

/**
 * Counts tries in the database, so that the limit holds in every process and after a restart. Ask before the try, not
 * after it: of a thousand that come at once only as many as are allowed get a `undefined`.
 */
export type AttemptLimits = {
  /** Counts one try. @returns undefined, or which of the two is over its limit */
  take(kind: AttemptKind, of: AttemptOf): Promise<AttemptScope | undefined>;
  /** After a success: the account's count is forgotten, the address gets its one try back. */
  succeeded(kind: AttemptKind, of: AttemptOf): Promise<void>;
};

export function countAttempts(db: Db): AttemptLimits {
  const limiters = new Map<string, RateLimiterDrizzle>();
  function limiter(kind: AttemptKind, scope: AttemptScope): RateLimiterDrizzle {
    const name = `${kind} ${scope}`;
    let made = limiters.get(name);
    if (made === undefined) {
      made = new RateLimiterDrizzle({
        storeClient: db,
        schema: attempts,
        keyPrefix: name,
        ...limits[kind][scope],
        // `forgetOldAttempts` does that.
        clearExpiredByTimeout: false,
      });
      limiters.set(name, made);
    }
    return made;
  }
  const scopesOf = (of: AttemptOf) =>
    (['account', 'address'] as const).flatMap((scope) => {
      const value = of[scope];
      return value === undefined ? [] : [{ scope, key: hash(value) }];
    });

  return {
    async take(kind, of) {
      for (const { scope, key } of scopesOf(of)) {
        try {
          await limiter(kind, scope).consume(key);
        } catch (refused) {
          // The library rejects with its result when the limit is reached, with an error when the database fails.
          if (refused instanceof Error) throw refused;
          return scope;
        }
      }
      return undefined;
    },
    async succeeded(kind, of) {
      for (const { scope, key } of scopesOf(of)) {
        if (scope === 'account') await limiter(kind, scope).delete(key);
        else await limiter(kind, scope).reward(key);
      }
    },
  };
}

export async function forgetOldAttempts(db: Db): Promise<void> {
  await db.delete(attempts).where(lt(attempts.expire, new Date()));
}

function hash(value: string): string {
  return createHash('sha256').update(value).digest('base64url');
}
