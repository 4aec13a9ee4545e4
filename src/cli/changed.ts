import { fingerprinted, forgetFingerprint } from '#db/fingerprints.ts';
import { providerKeys } from '#gateways/built-in-identity/tables.ts';
import { type Command, parseCommandLine, UsageError } from './command.ts';
import { withDatabase } from './open/with-database.ts';

export const changedCommand: Command = {
  help: `changed secret|storage

With DATABASE_URL, a site does not start when SECRET or the place of the files differs from the first process on its
database. After an intended change, stop every process and run this; the next one to start records the new value. A
new SECRET ends no sessions; it resets the counts of attempts, and known devices count as new ones.`,
  async run(args, context) {
    const { positionals } = parseCommandLine(args, {}, ['secret|storage']);
    const name = fingerprinted.find((known) => known === positionals[0]);
    if (name === undefined) throw new UsageError(`"${positionals[0]}" is neither secret nor storage`);
    await withDatabase(context, async (db) => {
      await forgetFingerprint(db, name);
      // With the old secret, someone could still sign ID tokens with these keys until they expire.
      if (name === 'secret') await db.delete(providerKeys);
    });
    context.print(`The next process to start records its ${name} for this database.`);
    return 0;
  },
};
