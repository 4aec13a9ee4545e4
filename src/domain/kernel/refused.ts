import type { Db } from './db.ts';

/** Thrown within `orRefusal`: undoes its transaction. */
export class Refused<Refusal extends { ok: false; reason: string }> extends Error {
  readonly result: Refusal;

  constructor(result: Refusal) {
    super(result.reason);
    this.result = result;
  }
}

/** Runs in one transaction. @returns what a `Refused` that it throws holds */
export async function orRefusal<Result>(db: Db, run: (tx: Db) => Promise<Result>): Promise<Result> {
  try {
    return await db.transaction(run);
  } catch (error) {
    if (error instanceof Refused) return error.result as Result;
    throw error;
  }
}
