import type { AddJobs } from '../gateways.ts';
import type { Db } from '../kernel/db.ts';

/** The database, and the queue of jobs. */
export type QueueParts = { db: Db; addJobs: AddJobs };
