import { type Config, isLoopback } from '#config';
import type { Database } from '#db/database.ts';
import { demoAccounts } from '#demo/accounts.ts';
import { type Report, reportOn } from './report.ts';

const demoEmails = demoAccounts.map(({ email }) => email);

export async function checkAccounts(
  { opened, config }: { opened: { database: Pick<Database, 'pool'> }; config: Config },
  report: Report,
): Promise<void> {
  const part = reportOn('Accounts', report);
  const provider = config.firebase === undefined ? 'built-in' : 'firebase';
  const { rows } = await opened.database.pool.query<{
    accounts: number;
    admins: number;
    foreign: number;
    demo: number;
  }>(
    `select count(*)::int as accounts, (count(*) filter (where is_admin))::int as admins,
       (count(*) filter (where identity_provider <> $1))::int as foreign,
       (count(*) filter (where email = any($2) and suspended_at is null))::int as demo
     from users where identity_provider is not null`,
    [provider, demoEmails],
  );
  const [facts] = rows;
  if (facts === undefined) return;
  const { accounts, admins, foreign, demo } = facts;
  part.ok(
    /*i18n*/ {
      id: 'doctor.accounts',
      message:
        '{accounts, plural, one {# account} other {# accounts}}, {admins, plural, one {# admin} other {# admins}}',
      values: { accounts, admins },
    },
  );
  if (foreign > 0)
    part.warn(
      /*i18n*/ {
        id: 'doctor.accounts.foreign',
        message:
          '{foreign, plural, one {# account of another identity provider than the one that is set ({provider}) cannot log in} other {# accounts of another identity provider than the one that is set ({provider}) cannot log in}}',
        values: { foreign, provider },
      },
    );
  const isPublic = !isLoopback(new URL(config.siteUrl).hostname);
  if (isPublic && admins === 0)
    part.warn(
      /*i18n*/ {
        id: 'doctor.accounts.no-admin',
        message: 'no account is an admin; make one with {command}',
        values: { command: 'npm run sotto -- admin <email> --username <name>' },
      },
    );
  if (isPublic && demo > 0)
    part.fail(
      /*i18n*/ {
        id: 'doctor.accounts.demo',
        message:
          'the demo accounts are here, and anyone can read their passwords; take them away with {command}, or suspend them: {emails}',
        values: { command: 'npm run sotto -- demo remove', emails: demoEmails.join(', ') },
      },
    );
}
