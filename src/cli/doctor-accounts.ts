import { readdir } from 'node:fs/promises';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '#config';
import { isLoopback } from '#config';
import type { CommandDatabase } from '#db/command-database.ts';
import { demoAccounts } from '#db/demo-accounts.ts';
import { checkMailServer } from '#gateways/mail.ts';
import { countOf } from './command.ts';
import type { Finding } from './doctor.ts';

/** What accounts need besides the database: mail, an identity provider, and a secret that only the site reads. */

export async function checkMail({ mail, dataDir, siteUrl }: Config, find: Finding): Promise<void> {
  const dir = join(dataDir, 'outbox');
  const kept = (await readdir(dir).catch(() => [])).filter((name) => name.endsWith('.eml')).length;
  if (isOpenToOthers(dir))
    find('FAIL', 'Outbox', `others on this machine may read ${dir}, where links lie that open accounts; chmod 700 it`);
  if (mail.url === undefined) {
    const isAlone = isLoopback(new URL(siteUrl).hostname);
    find(
      isAlone ? 'ok' : 'warn',
      'Mail',
      `MAIL_URL is not set, so mails are kept in the outbox (${countOf(kept, 'mail')})${isAlone ? '' : '; nobody who forgot a password gets a link'}`,
    );
    return;
  }
  const host = URL.parse(mail.url)?.host ?? 'MAIL_URL';
  const refusal = await checkMailServer(mail.url);
  if (refusal === undefined) find('ok', 'Mail', `${host} takes mail, sent as ${mail.from}`);
  else find('FAIL', 'Mail', `${host} cannot be used (${refusal}); mails wait in the outbox; see MAIL_URL`);
  if (kept > 0) find('warn', 'Outbox', `${countOf(kept, 'mail')} not sent; see npm run sotto -- mails, and mails send`);
}

export async function checkIdentity(config: Config, find: Finding): Promise<void> {
  const { firebase, social, siteUrl } = config;
  if (firebase !== undefined) return checkFirebase(firebase, siteUrl, find);
  const offered = Object.entries(social).flatMap(([name, client]) => (client === undefined ? [] : [name]));
  find('ok', 'Sign-in', `built in, by password${offered.map((name) => ` and ${name}`).join('')}`);
  for (const name of offered)
    find('ok', 'Sign-in', `${name} has to know this address to return to: ${siteUrl}/identity/callback/${name}`);
  const path = join(config.dataDir, 'secret');
  if (config.secret === undefined && isOpenToOthers(path))
    find('FAIL', 'Secret', `others on this machine may read ${path}, which signs who is logging in; chmod 600 it`);
  else if (config.secret === undefined && config.databaseUrl !== undefined)
    find('ok', 'Secret', `in ${path}; where several processes share this database, set SECRET for all of them`);
}

async function checkFirebase(
  { projectId, apiKey, emulatorHost }: NonNullable<Config['firebase']>,
  siteUrl: string,
  find: Finding,
): Promise<void> {
  const host = 'identitytoolkit.googleapis.com';
  const base = emulatorHost === undefined ? `https://${host}` : `http://${emulatorHost}/${host}`;
  try {
    const answer = await fetch(`${base}/v1/projects?key=${encodeURIComponent(apiKey)}`, {
      signal: AbortSignal.timeout(5000),
      redirect: 'error',
    });
    if (!answer.ok)
      return find('FAIL', 'Sign-in', `Firebase refuses the API key (status ${answer.status}); see FIREBASE_API_KEY`);
    const { authorizedDomains } = (await answer.json()) as { authorizedDomains?: string[] };
    const { hostname } = new URL(siteUrl);
    if (authorizedDomains !== undefined && !authorizedDomains.includes(hostname))
      find('warn', 'Sign-in', `${hostname} is not among the authorized domains of ${projectId}; Google cannot be used`);
    else find('ok', 'Sign-in', `Firebase, project ${projectId}`);
  } catch (error) {
    const { cause = error } = error as { cause?: unknown };
    const { code, name } = cause as NodeJS.ErrnoException;
    find('FAIL', 'Sign-in', `Firebase cannot be reached (${code ?? name}), so nobody can log in`);
  }
}

export async function checkAccounts(
  { database: { pool } }: CommandDatabase,
  config: Config,
  find: Finding,
): Promise<void> {
  const provider = config.firebase === undefined ? 'built-in' : 'firebase';
  const { rows } = await pool.query<{ accounts: number; admins: number; foreign: number; demo: number }>(
    `select count(*)::int as accounts, (count(*) filter (where is_admin))::int as admins,
       (count(*) filter (where identity_provider <> $1))::int as foreign,
       (count(*) filter (where email = any($2)))::int as demo
     from users where identity_provider is not null`,
    [provider, demoAccounts.map(({ email }) => email)],
  );
  const facts = rows[0];
  if (facts === undefined) return;
  const { accounts, admins, foreign, demo } = facts;
  find('ok', 'Accounts', `${countOf(accounts, 'account')}, ${countOf(admins, 'admin')}`);
  if (foreign > 0)
    find(
      'warn',
      'Accounts',
      `${countOf(foreign, 'account')} of another identity provider than the one that is set (${provider}), and cannot log in`,
    );
  if (demo > 0 && !isLoopback(new URL(config.siteUrl).hostname))
    find(
      'FAIL',
      'Accounts',
      `the demo accounts are here, and anyone can read their passwords; suspend them: ${demoAccounts.map(({ email }) => email).join(', ')}`,
    );
}

function isOpenToOthers(path: string): boolean {
  const found = statSync(path, { throwIfNoEntry: false });
  return found !== undefined && process.platform !== 'win32' && (found.mode & 0o077) !== 0;
}
