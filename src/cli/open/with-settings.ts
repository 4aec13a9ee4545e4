import type { Logger } from 'pino';
import type { Config } from '#config';
import { openForCommand } from '#db/command-database.ts';
import type { Database } from '#db/database.ts';
import type { Db } from '#domain/kernel/db.ts';
import { siteNameOf } from '#domain/look/settings.ts';
import type { Settings } from '#domain/settings/open-settings.ts';
import { openSettings } from '#domain/settings/open-settings.ts';
import { createLog } from '#start/log.ts';
import type { CommandContext } from '../command.ts';

type SettingsTools = {
  config: Config;
  database: Database;
  db: Db;
  databaseUrl: string;
  settings: Settings;
  /** Silent: commands print what operators need. */
  log: Logger;
  siteName: () => string;
};

/** Runs with the site's database and settings, whether the site is running or not. */
export async function withSettings<Result>(
  context: CommandContext,
  act: (tools: SettingsTools) => Promise<Result>,
): Promise<Result> {
  const config = context.readConfig();
  const { database, url, close } = await openForCommand(config, {
    create: false,
    schema: 'current',
    note: context.note,
  });
  try {
    const { db } = database;
    const settings = await openSettings({ db });
    const siteName = () => siteNameOf(settings, config.siteName);
    return await act({ config, database, db, databaseUrl: url, settings, log: createLog('silent'), siteName });
  } finally {
    await close();
  }
}
