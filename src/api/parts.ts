import type { AddJobs } from '#domain/gateways.ts';
import type { Site } from '#domain/site.ts';

/** The site and the process that calls act on. */
export type ApiParts = {
  site: Site;
  failures: { report(error: unknown, what: string): unknown };
  metrics: { dropEvents(count: number, why: 'client'): void };
  addJobs: AddJobs;
  /** Number of proxies that append to X-Forwarded-For. */
  trustProxy: number;
  /** The site uses TLS. */
  secure: boolean;
};
