import { createHmac } from 'node:crypto';
import { lt, or, sql } from 'drizzle-orm';
import { LRUCache } from 'lru-cache';
import { RateLimiterDrizzle, RateLimiterRes } from 'rate-limiter-flexible';
import type { Db } from '../kernel/db.ts';
import { purgeRows } from '../kernel/purge.ts';
import { widerNetworkOf } from './networks.ts';
import { attempts } from './tables.ts';

export type Limit = { points: number; duration: number };

/** `points` attempts in `duration` seconds, per account (or username, or email) and per address; see docs/limits.md. */
export const attemptLimits = {
  /**
   * One address gets 10 attempts per account, all addresses together 50, so that one attacker cannot lock the owner
   * out. A known device has its own counter.
   */
  'log-in': {
    pair: { points: 10, duration: 15 * 60 },
    account: { points: 50, duration: 60 * 60 },
    address: { points: 100, duration: 15 * 60 },
    device: { points: 10, duration: 15 * 60 },
  },
  register: { account: { points: 10, duration: 60 * 60 }, address: { points: 20, duration: 60 * 60 } },
  reset: { account: { points: 3, duration: 60 * 60 }, address: { points: 20, duration: 60 * 60 } },
  /** Password checks inside an account: deletion, new password, new email. */
  password: { account: { points: 10, duration: 15 * 60 }, address: { points: 100, duration: 15 * 60 } },
  /** Codes of an authenticator app have only a million values; only an operator's session can try them. */
  'second-factor': { account: { points: 10, duration: 15 * 60 }, address: { points: 100, duration: 15 * 60 } },
  /** Apart from the app's codes, so that guessing those locks nobody out of the way back in. */
  'recovery-code': { account: { points: 10, duration: 15 * 60 }, address: { points: 100, duration: 15 * 60 } },
  /** Each success sends a mail, possibly to a stranger, so successes count too. */
  'new-password': { account: { points: 20, duration: 60 * 60 }, address: { points: 100, duration: 60 * 60 } },
  'new-email': { account: { points: 5, duration: 24 * 60 * 60 }, address: { points: 60, duration: 60 * 60 } },
  'mail-to-stranger': { account: { points: 3, duration: 60 * 60 }, address: { points: 60, duration: 60 * 60 } },
  /** Links from mails; with Firebase each one calls Google. */
  link: { account: { points: 60, duration: 60 * 60 }, address: { points: 60, duration: 60 * 60 } },
  /** Each change invalidates the caches of every process. */
  profile: { account: { points: 30, duration: 10 * 60 }, address: { points: 300, duration: 10 * 60 } },
  export: { account: { points: 10, duration: 60 * 60 }, address: { points: 60, duration: 60 * 60 } },
  /** Public content that operators have to moderate. */
  comment: { account: { points: 10, duration: 5 * 60 }, address: { points: 60, duration: 5 * 60 } },
  report: { account: { points: 30, duration: 60 * 60 }, address: { points: 120, duration: 60 * 60 } },
  /** Reports by anybody, which people have to read; the refusal says the ten. */
  'report-given': { address: { points: 10, duration: 24 * 60 * 60 } },
  notice: { account: { points: 20, duration: 60 * 60 }, address: { points: 30, duration: 60 * 60 } },
  /** Changes public pages and invalidates caches. */
  publicity: { account: { points: 60, duration: 10 * 60 }, address: { points: 300, duration: 10 * 60 } },
  /** Guessing of gift card and promotion codes. */
  code: { account: { points: 20, duration: 15 * 60 }, address: { points: 100, duration: 15 * 60 } },
  /** Card testing with stolen cards. */
  card: { account: { points: 30, duration: 60 * 60 }, address: { points: 200, duration: 60 * 60 } },
  /** Gift cards without an account; one that is paid gives its attempt back. */
  'unpaid-gift-card': { address: { points: 10, duration: 60 * 60 } },
  /** Status requests to the payment provider, per user, and per gift card or tip. */
  refresh: { account: { points: 60, duration: 15 * 60 }, address: { points: 300, duration: 15 * 60 } },
  'refresh-card': { account: { points: 60, duration: 15 * 60 }, address: { points: 300, duration: 15 * 60 } },
  /** Each one is cut from its recording, and stored. */
  clip: { account: { points: 30, duration: 24 * 60 * 60 }, address: { points: 100, duration: 24 * 60 * 60 } },
  username: { account: { points: 1000, duration: 60 }, address: { points: 120, duration: 60 } },
} as const satisfies Record<string, Partial<Record<AttemptScope, Limit>>>;

/** Wrong codes in a row until an operator has to wait. */
export const maxSecondFactorTries = attemptLimits['second-factor'].account.points;

/** Factor for a /48 of IPv6, which holds many households. */
const widerNetworkShare = 8;

export type AttemptKind = keyof typeof attemptLimits;
/**
 * Parties that an attempt is counted for: account (email or id), client network, and known device, which is counted
 * alone. Stored only as keyed hashes.
 */
export type AttemptOf = { account?: string | undefined; address?: string | undefined; device?: string | undefined };
export type AttemptScope = 'device' | 'pair' | 'address' | 'network' | 'account';
/** `retryAfter`: seconds until the next try is possible. */
export type AttemptRefusal = { scope: AttemptScope; retryAfter: number };

/**
 * Counts attempts in the database, so that limits hold across processes and restarts; refusals are remembered in memory
 * for a moment. Call `take` before the attempt, not after: concurrent attempts could exceed the limit otherwise.
 */
export type AttemptLimits = {
  /** Counts one attempt. @returns undefined, or the limit that is exceeded */
  take(kind: AttemptKind, of: AttemptOf): Promise<AttemptRefusal | undefined>;
  /**
   * As `take`. `atAccount`: attempts at the account in this period, this one included, so that each number is given
   * once; undefined for an attempt that was refused without being counted.
   */
  takeCounted(
    kind: AttemptKind,
    of: AttemptOf,
  ): Promise<{ refusal: AttemptRefusal | undefined; atAccount: number | undefined }>;
  /** After a success: clears the account's own counts and gives the client's network one attempt back. */
  succeeded(kind: AttemptKind, of: AttemptOf): Promise<void>;
  /** Clears the attempts at an account from every address. */
  lift(kind: AttemptKind, account: string): Promise<void>;
};

/**
 * A flood of refused attempts costs one query per key in this time. A `lift` in another process takes effect after it.
 */
const rememberMs = 5000;

/** When the next attempt is possible, by key. Lifting a limit lifts it for all counters of this process. */
const refusalsByDatabase = new WeakMap<Db, LRUCache<string, number>>();

/** @param secret the same in every process; without a key, hashes of IPv4 addresses can be brute-forced */
export function countAttempts(db: Db, secret: string): AttemptLimits {
  const limiters = new Map<string, RateLimiterDrizzle>();
  const refusals = refusalsByDatabase.get(db) ?? new LRUCache<string, number>({ max: 10_000, ttl: rememberMs });
  refusalsByDatabase.set(db, refusals);
  const hash = (value: string) => createHmac('sha256', secret).update(`attempt by ${value}`).digest('base64url');

  function limiter(kind: AttemptKind, scope: AttemptScope, limit: Limit): RateLimiterDrizzle {
    const name = `${kind} ${scope}`;
    let counter = limiters.get(name);
    if (counter === undefined) {
      counter = new RateLimiterDrizzle({
        storeClient: db,
        schema: attempts,
        keyPrefix: name,
        ...limit,
        // `purgeOldAttempts` deletes them.
        clearExpiredByTimeout: false,
      });
      limiters.set(name, counter);
    }
    return counter;
  }

  /** Narrowest first: a refused attempt does not count against the wider limits. */
  function limitsOf(kind: AttemptKind, { account, address, device }: AttemptOf) {
    const own: Partial<Record<AttemptScope, Limit>> = attemptLimits[kind];
    const keyOf = (...values: (string | undefined)[]) =>
      values.some((value) => value === undefined) ? undefined : values.map((value) => hash(value ?? '')).join(' ');
    const strangers: [AttemptScope, Limit | undefined, string | undefined][] = [
      ['pair', own.pair, keyOf(account, address)],
      ['address', own.address, keyOf(address)],
      ['network', own.address && wider(own.address), keyOf(address && widerNetworkOf(address))],
      ['account', own.account, keyOf(account)],
    ];
    const keys =
      own.device === undefined || device === undefined
        ? strangers
        : ([['device', own.device, keyOf(account, device)]] satisfies typeof strangers);
    return keys.flatMap(([scope, limit, key]) =>
      limit === undefined || key === undefined
        ? []
        : [{ scope, key, refusalKey: `${kind} ${scope}:${key}`, limiter: limiter(kind, scope, limit) }],
    );
  }

  const takeCounted: AttemptLimits['takeCounted'] = async (kind, subject) => {
    let atAccount: number | undefined;
    for (const { scope, key, refusalKey, limiter } of limitsOf(kind, subject)) {
      const until = refusals.get(refusalKey) ?? 0;
      if (until > Date.now()) return { refusal: { scope, retryAfter: secondsUntil(until) }, atAccount };
      try {
        const { consumedPoints } = await limiter.consume(key);
        if (scope === 'account') atAccount = consumedPoints;
      } catch (refused) {
        // The library rejects with its result when the limit is reached, with an error when the database fails.
        if (!(refused instanceof RateLimiterRes)) throw refused;
        const next = Date.now() + refused.msBeforeNext;
        refusals.set(refusalKey, next);
        if (scope === 'account') atAccount = refused.consumedPoints;
        return { refusal: { scope, retryAfter: secondsUntil(next) }, atAccount };
      }
    }
    return { refusal: undefined, atAccount };
  };

  return {
    takeCounted,
    take: async (kind, subject) => (await takeCounted(kind, subject)).refusal,
    async succeeded(kind, subject) {
      for (const { scope, key, refusalKey, limiter } of limitsOf(kind, subject)) {
        refusals.delete(refusalKey);
        if (scope === 'address' || scope === 'network') await limiter.reward(key);
        else await limiter.delete(key);
      }
    },
    async lift(kind, account) {
      refusals.clear();
      const startsWith = (scope: AttemptScope) =>
        sql`starts_with(${attempts.key}, ${`${kind} ${scope}:${hash(account)}`})`;
      await db.delete(attempts).where(or(startsWith('account'), startsWith('pair'), startsWith('device')));
    },
  };
}

function secondsUntil(time: number): number {
  return Math.max(1, Math.ceil((time - Date.now()) / 1000));
}

function wider({ points, duration }: Limit): Limit {
  return { points: points * widerNetworkShare, duration };
}

export async function purgeOldAttempts(db: Db, signal?: AbortSignal): Promise<void> {
  await purgeRows(db, attempts, lt(attempts.expire, new Date()), signal);
}
