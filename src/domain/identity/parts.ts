import type { AnyColumn, SQL } from 'drizzle-orm';
import type { VoiceRole } from '../kernel/viewer.ts';
import type { Db } from '../kernel/db.ts';
import type { IdentityProvider } from './provider.ts';

/** SQL over tables of higher areas, which pass it in. */
export type UserSql = {
  /** Columns about the user of a row. */
  isSubscribed(userId: AnyColumn): SQL<boolean>;
  hasSubscription(userId: AnyColumn): SQL<boolean>;
  voiceRoles(userId: AnyColumn): SQL<Record<string, VoiceRole> | null>;
  blockedUserIds(userId: AnyColumn): SQL<string[]>;
  hidesNothing(userId: AnyColumn): SQL<boolean>;
  /** Table with a column `slug`: names that this user may not take. */
  othersSlugs(userId: string | undefined): SQL;
};

/** Dependencies of the identity area. */
export type IdentityParts = {
  db: Db;
  provider: IdentityProvider;
  /** Reserved as a username. */
  readonly siteName: string;
  /** Whether new accounts are taken; default: yes. */
  isSignUpOpen?: (() => boolean) | undefined;
  /** Origin without a trailing slash; passkeys are bound to its host. */
  siteUrl: string;
  /** Whether operators need a second factor. */
  adminSecondFactor: 'required' | 'optional';
  /** Key of stored hashes; the same in every process. */
  secret: string;
  userSql: UserSql;
  /** Export and erasure in every area. */
  privacy: {
    exportUser(userId: string): Promise<Record<string, unknown>>;
    /** @param record runs in the transaction, after everything else */
    erase(userId: string, record?: (tx: Db) => Promise<void>): Promise<void>;
  };
  /**
   * Ends all charges of a user and runs `act` while new ones are blocked.
   * @param isWanted asked under the lock before anything ends; false leaves the account alone
   */
  withoutCharges(userId: string, act: () => Promise<void>, isWanted?: () => Promise<boolean>): Promise<void>;
};
