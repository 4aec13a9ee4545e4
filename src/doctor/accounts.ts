import { type Config, isLoopback } from '#config';
import type { Database } from '#db/database.ts';
import { demoAccounts } from '#demo/accounts.ts';
import { countOf } from '#formats/numbers.ts';
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
  part.ok(`${countOf(accounts, 'account')}, ${countOf(admins, 'admin')}`);
  if (foreign > 0)
    part.warn(
      `${countOf(foreign, 'account')} of another identity provider than the one that is set (${provider}), and cannot log in`,
    );
  const isPublic = !isLoopback(new URL(config.siteUrl).hostname);
  if (isPublic && admins === 0)
    part.warn('no account is an admin; make one with npm run sotto -- admin <email> --username <name>');
  if (isPublic && demo > 0)
    part.fail(
      `the demo accounts are here, and anyone can read their passwords; take them away with npm run sotto -- demo remove, or suspend them: ${demoEmails.join(', ')}`,
    );
}
