import { fingerprinted, forgetFingerprint } from '#db/fingerprints.ts';
import { resealPayees } from '#domain/studio/payees/reseal.ts';
import { providerKeys } from '#gateways/built-in-identity/tables.ts';
import { readSecret } from '#start/site-secret.ts';
import { type Command, parseCommandLine, readOperatorsFile, UsageError } from './command.ts';
import { withDatabase } from './open/with-database.ts';

export const changedCommand: Command = {
  help: `changed secret|storage [--former FILE]

With DATABASE_URL, a site does not start when SECRET or the place of the files differs from the first process on its
database. After an intended change, stop every process and run this; the next one to start records the new value. A
new SECRET ends no sessions; it resets the counts of attempts, and known devices count as new ones.

  --former FILE   contains the former secret: bank and tax data of those who are paid are encrypted anew. Without it,
                  they have to enter them again.`,
  async run(args, context) {
    const { positionals, values } = parseCommandLine(args, { former: { type: 'string' } }, ['secret|storage']);
    const name = fingerprinted.find((known) => known === positionals[0]);
    if (name === undefined) throw new UsageError(`"${positionals[0]}" is neither secret nor storage`);
    const former = values.former === undefined ? undefined : await readOperatorsFile(context, values.former);
    if (former !== undefined && name !== 'secret') throw new UsageError('--former is for a changed secret');
    await withDatabase(context, async (db) => {
      await forgetFingerprint(db, name);
      // With the old secret, someone could still sign ID tokens with these keys until they expire.
      if (name === 'secret') await db.delete(providerKeys);
      if (former === undefined) return;
      const secrets = { former: former.toString('utf8').trim(), secret: await readSecret(context.readConfig()) };
      const { resealed, unreadable } = await resealPayees(db, secrets);
      context.print(`Encrypted anew: ${resealed}. Not under that former secret: ${unreadable}.`);
    });
    context.print(`The next process to start records its ${name} for this database.`);
    return 0;
  },
};
