import type { ApiParts as CallParts } from '#api/parts.ts';
import type { Failures } from '../errors.ts';
import type { Metrics } from '../metrics.ts';
import type { RateLimit } from '../limits/rate-limit.ts';
import type { ViewerEnv } from '../viewer.ts';

export type ApiParts = CallParts & {
  failures: Failures;
  /** Shared by all versions: they have the same calls. */
  rateLimit: RateLimit;
  metrics: Pick<Metrics, 'dropEvents'>;
};

/** Set for every call, before its route. */
export type ApiEnv = { Variables: ViewerEnv['Variables'] & { rateLimit: RateLimit } };
