import type { Context } from 'hono';
import type { ProofState } from '#domain/age/proof-requests.ts';
import type { Viewer } from '#domain/kernel/viewer.ts';
import type { Site } from '#domain/site.ts';

/** The site and the process that calls act on. */
export type ApiParts = {
  site: Site;
  failures: { report(error: unknown, what: string, details?: Record<string, string>): unknown };
  metrics: { dropEvents(count: number, why: 'client' | 'site'): void };
  /** Counts per client under the call's address. @returns false when the minute's budget is used up */
  rateLimit(context: Context, allowance: { perMinute: number }): boolean;
  /** Number of proxies that append to X-Forwarded-For. */
  trustProxy: number;
  /** Keeps that the caller is at least 18, in a cookie and for the account. */
  ages: {
    state(context: Context, viewer: Viewer): Promise<void>;
    /** Undefined: unknown. */
    regionOf(context: Context): string | undefined;
  };
  /** The browser's own request for a proof of age. */
  proofs: { find(context: Context): Promise<ProofState | undefined> };
  /** The site uses TLS. */
  secure: boolean;
};
