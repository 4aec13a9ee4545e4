import { recordByOperator } from '#domain/admin/record.ts';
import type { Db } from '#domain/kernel/db.ts';
import { errorSentences } from '#domain/kernel/errors.ts';
import { SignUpForm } from '#domain/identity/forms.ts';
import type { AccountState } from '#domain/identity/operators.ts';
import { createAdmin, findAccount, resetPassword } from '#domain/identity/operators.ts';
import { operator } from '#domain/kernel/actor.ts';
import type { Identity } from '#start/open-identity-provider.ts';
import { countAttempts } from '#domain/identity/attempts.ts';
import { siteNameOf } from '#domain/look/settings.ts';
import { openSettings } from '#domain/settings/open-settings.ts';
import { openIdentityProvider } from '#start/open-identity-provider.ts';
import { readSecret } from '#start/site-secret.ts';
import { createLog } from '#start/log.ts';
import type { Command, CommandContext } from './command.ts';
import { CommandError, parseCommandLine, UsageError } from './command.ts';
import { orRefuse, withAdmin } from './open/with-admin.ts';
import { withDatabase } from './open/with-database.ts';

async function withIdentity<Result>(
  context: CommandContext,
  act: (db: Db, identity: Identity) => Promise<Result>,
): Promise<Result> {
  return withDatabase(context, async (db) => {
    const config = context.readConfig();
    const settings = await openSettings({ db });
    const siteName = () => siteNameOf(settings, config.siteName);
    const identity = await openIdentityProvider({ config, db, log: createLog('silent'), siteName });
    try {
      return await act(db, identity);
    } finally {
      await identity.mail.close();
    }
  });
}

async function findOrRefuse(db: Db, name: string): Promise<AccountState> {
  const account = await findAccount(db, name);
  if (account === undefined) throw new CommandError(`There is no account ${JSON.stringify(name)}`);
  return account;
}

function nameOf({ username, email, id }: AccountState): string {
  return username ?? email ?? id;
}

export const adminCommand: Command = {
  help: `admin <email> [--username <name>] [--remove | --reset-second-factor]

Makes an account an operator. If no account has this email, one is created and its password is printed once.

  --username <name>       of the new account
  --remove                revokes the right
  --reset-second-factor   for an operator who lost it: the next visit to Admin sets up a new one`,
  async run(args, context) {
    const { values, positionals } = parseCommandLine(
      args,
      {
        username: { type: 'string' },
        remove: { type: 'boolean', default: false },
        'reset-second-factor': { type: 'boolean', default: false },
      },
      ['<email>'],
    );
    const [email] = positionals;
    return withAdmin(context, async ({ db, users, provider }) => {
      const account = await findAccount(db, email);
      if (values['reset-second-factor']) {
        const known = account ?? (await findOrRefuse(db, email));
        const { had } = orRefuse(await users.resetSecondFactorOf(operator, known.id));
        context.print(
          had
            ? `${nameOf(known)} will set up a new second factor on the next visit to Admin.`
            : `${nameOf(known)} has no second factor.`,
        );
        return 0;
      }
      if (account !== undefined || values.remove) {
        const known = account ?? (await findOrRefuse(db, email));
        orRefuse(await users.setAdminRole(operator, known.id, !values.remove));
        context.print(`${nameOf(known)} is ${values.remove ? 'no longer an admin' : 'now an admin'}.`);
        return 0;
      }
      const form = SignUpForm.pick({ email: true, username: true }).safeParse({
        email,
        username: values.username ?? '',
      });
      if (!form.success) {
        const isEmail = form.error.issues[0]?.path[0] === 'email';
        throw new UsageError(
          isEmail
            ? `"${email}" is neither an account nor an email address`
            : 'there is no such account; to create one, give it a --username of letters, digits, dots, hyphens and underscores',
        );
      }
      const outcome = await createAdmin(db, provider, form.data);
      if (!outcome.ok) throw new CommandError(errorSentences[outcome.reason]);
      context.print(`${form.data.username} is now an admin, with the password ${outcome.password}`);
      return 0;
    });
  },
};

export const resetPasswordCommand: Command = {
  help: `reset-password <email>

Sets a new password and prints it once. Ends every session of the account, and lifts a limit on its log-in.`,
  async run(args, context) {
    const [name] = parseCommandLine(args, {}, ['<email>']).positionals;
    return withIdentity(context, async (db, { provider }) => {
      const account = await findOrRefuse(db, name);
      if (account.email === null)
        throw new CommandError(`the account ${nameOf(account)} has no email address to log in with`);
      const attempts = countAttempts(db, await readSecret(context.readConfig()));
      const password = await resetPassword(db, attempts, provider, { id: account.id, email: account.email });
      if (password === undefined)
        throw new CommandError(
          provider.name === 'firebase'
            ? "Passwords are kept by Firebase; reset it in the project's console"
            : `${nameOf(account)} has no account at the identity provider`,
        );
      const subject = { type: 'user', id: account.id, name: nameOf(account) };
      await db.transaction((tx) => recordByOperator(tx, operator, { action: 'user.reset-password', subject }));
      context.print(`The new password of ${nameOf(account)} is ${password}`);
      return 0;
    });
  },
};

export const suspendCommand: Command = {
  help: `suspend <email or username> [--reason <text>] [--pay-back] [--lift]

Logs an account out everywhere and blocks its log-in. Its profile and playlists are hidden. Nothing is deleted. Its
renewal stops, and stays stopped when the suspension is lifted.

  --reason <text>  for the log
  --pay-back       refunds unused days, and ends the subscription now
  --lift           ends the suspension`,
  async run(args, context) {
    const { values, positionals } = parseCommandLine(
      args,
      {
        reason: { type: 'string' },
        'pay-back': { type: 'boolean', default: false },
        lift: { type: 'boolean', default: false },
      },
      ['<email or username>'],
    );
    return withAdmin(context, async ({ db, users }) => {
      const account = await findOrRefuse(db, positionals[0]);
      if (values.lift) {
        orRefuse(await users.liftSuspension(operator, account.id));
        context.print(`${nameOf(account)} is not suspended any more.`);
        return 0;
      }
      const how = { reason: values.reason ?? 'On the command line', paysBack: values['pay-back'] };
      const { renewal, refunded } = orRefuse(await users.suspendUser(operator, account.id, how));
      context.print(`${nameOf(account)} is suspended.`);
      if (renewal === 'stopped') context.print('The renewal is stopped.');
      if (refunded > 0) context.print(`${(refunded / 100).toFixed(2)} were paid back for unused days.`);
      if (renewal !== 'failed') return 0;
      context.note('The payment provider did not answer: the renewal goes on. Repeat this command.');
      return 1;
    });
  },
};
