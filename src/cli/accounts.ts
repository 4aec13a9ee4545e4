import { recordByOperator } from '#domain/admin/record.ts';
import { SignUpForm } from '#domain/identity/forms.ts';
import { type AccountState, createAdmin, findAccount, resetPassword } from '#domain/identity/operators.ts';
import { operator } from '#domain/kernel/actor.ts';
import { englishErrors } from '#domain/kernel/errors.ts';
import { type Command, CommandError, parseCommandLine, UsageError } from './command.ts';
import { withSite } from './open/with-site.ts';

function nameOf({ username, email, id }: AccountState): string {
  return username ?? email ?? id;
}

export const adminCommand: Command = {
  help: `admin <email> [--username <name>]

Makes an account an operator. If no account has this email, one is created and its password is printed once. To take
the right away: users take-admin. For an operator who lost the second factor: users reset-second-factor.

  --username <name>       of the new account`,
  async run(args, context) {
    const { values, positionals } = parseCommandLine(args, { username: { type: 'string' } }, ['<email>']);
    const [email] = positionals;
    return withSite(context, async ({ db, site, provider }) => {
      const account = await findAccount(db, email);
      if (account !== undefined) {
        const outcome = await site.admin.people.setAdminRole(operator, account.id, true);
        if (!outcome.ok) throw new CommandError(englishErrors[outcome.reason]);
        context.print(`${nameOf(account)} is now an admin.`);
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
      if (!outcome.ok) throw new CommandError(englishErrors[outcome.reason]);
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
    return withSite(context, async ({ db, site, provider }) => {
      const account = await findAccount(db, name);
      if (account === undefined) throw new CommandError(`There is no account ${JSON.stringify(name)}`);
      if (account.email === null)
        throw new CommandError(`the account ${nameOf(account)} has no email address to log in with`);
      const { attempts } = site.identity;
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
