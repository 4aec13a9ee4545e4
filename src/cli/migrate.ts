import { openForCommand } from '#db/command-database.ts';
import { migrateDatabase } from '#db/migrate.ts';
import { type Command, countOf, parseCommandLine } from './command.ts';

export const migrateCommand: Command = {
  help: `migrate

Updates the schema of the database, like the start of a site, while processes of the previous version run. Run it once
before the processes are replaced in turn, with MIGRATE_ON_START=false for them. Does nothing when the schema is up to
date.`,
  async run(args, context) {
    parseCommandLine(args, {}, []);
    const opened = await openForCommand(context.readConfig(), { create: true, schema: 'any', note: context.note });
    try {
      const applied = await migrateDatabase(opened.database);
      for (const name of applied) context.note(name);
      context.print(
        applied.length === 0 ? 'The schema is up to date.' : `${countOf(applied.length, 'migration')} applied.`,
      );
      return 0;
    } finally {
      await opened.close();
    }
  },
};
