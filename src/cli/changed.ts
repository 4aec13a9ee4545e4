import { fingerprinted, forgetFingerprint } from '#db/fingerprints.ts';
import { providerKeys } from '#gateways/built-in-identity/tables.ts';
import type { Command } from './command.ts';
import { parseCommandLine, UsageError } from './command.ts';
import { withDatabase } from './with-database.ts';

export const changedCommand: Command = {
  help: `changed secret|storage

With DATABASE_URL, a site does not start with another SECRET, or with files in another place, than the first process on
its database had. After a change on purpose, stop every process and run this; the next one to start decides anew. A new
SECRET ends no session; it resets the counts of attempts, and users are asked on known devices as on new ones.`,
  async run(args, context) {
    const { positionals } = parseCommandLine(args, {}, ['secret|storage']);
    const name = fingerprinted.find((known) => known === positionals[0]);
    if (name === undefined) throw new UsageError(`"${positionals[0]}" is neither secret nor storage`);
    await withDatabase(context, async (db) => {
      await forgetFingerprint(db, name);
      // With the old secret, someone could still sign ID tokens with these keys until they expire.
      if (name === 'secret') await db.delete(providerKeys);
    });
    context.say(`The next process to start records its ${name} for this database.`);
    return 0;
  },
};
