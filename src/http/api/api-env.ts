import type { AddJobs } from '#domain/gateways.ts';
import type { Site } from '#domain/site.ts';
import type { Failures } from '../errors.ts';
import type { Metrics } from '../metrics.ts';
import type { RateLimit } from '../limits/rate-limit.ts';
import type { LoggedIn, ViewerEnv } from '../viewer.ts';

export type ApiParts = {
  site: Site;
  failures: Failures;
  /** Shared by all versions: they have the same calls. */
  rateLimit: RateLimit;
  metrics: Pick<Metrics, 'dropEvents'>;
  addJobs: AddJobs;
  /** Number of proxies that append to X-Forwarded-For. */
  trustProxy: number;
  /** The site uses TLS. */
  secure: boolean;
};

/** Set for every call, before its route. */
export type ApiEnv = { Variables: ViewerEnv['Variables'] & { rateLimit: RateLimit } };

/** The context of routes with the guard `loggedInOnly`. */
export type LoggedInEnv = { Variables: { loggedIn: LoggedIn } };
