import type { Db } from '#domain/kernel/db.ts';
import { openForCommand } from '#db/command-database.ts';
import type { CommandContext } from '../command.ts';

/** Runs on the site's database, whether the site is running or not. */
export async function withDatabase<Result>(context: CommandContext, act: (db: Db) => Promise<Result>): Promise<Result> {
  const opened = await openForCommand(context.readConfig(), { create: false, schema: 'current', note: context.note });
  try {
    return await act(opened.database.db);
  } finally {
    await opened.close();
  }
}
