import { join } from 'node:path';
import type { Config } from '#config';
import { callLimits } from '#gateways/call-limits.ts';
import { timedFetch } from '#gateways/timed-fetch.ts';
import { isOpenToOthers } from './data-dir.ts';
import { type Report, reportOn } from './report.ts';

export async function checkSignIn({ firebase, social, siteUrl }: Config, report: Report): Promise<void> {
  if (firebase !== undefined) return checkFirebase(firebase, siteUrl, report);
  const offered = Object.keys(social);
  report('ok', 'Sign-in', `built in, by password${offered.map((name) => ` and ${name}`).join('')}`);
  for (const name of offered)
    report('ok', 'Sign-in', `${name} has to know this address to return to: ${siteUrl}/identity/callback/${name}`);
}

async function checkFirebase(
  firebase: NonNullable<Config['firebase']>,
  siteUrl: string,
  report: Report,
): Promise<void> {
  const part = reportOn('Sign-in', report);
  try {
    const answer = await askFirebase(firebase);
    if (!answer.ok) return part.fail(`Firebase refuses the API key (status ${answer.status}); see FIREBASE_API_KEY`);
    const { authorizedDomains } = (await answer.json()) as { authorizedDomains?: string[] };
    const { hostname } = new URL(siteUrl);
    const isAuthorized = authorizedDomains?.includes(hostname) ?? true;
    if (isAuthorized) part.ok(`Firebase, project ${firebase.projectId}`);
    else part.warn(`${hostname} is not among the authorized domains of ${firebase.projectId}; Google cannot be used`);
  } catch (error) {
    const { cause = error } = error as { cause?: unknown };
    const { code, name } = cause as NodeJS.ErrnoException;
    part.fail(`Firebase cannot be reached (${code ?? name}), so nobody can log in`);
  }
}

function askFirebase({ apiKey, emulatorHost }: NonNullable<Config['firebase']>): Promise<Response> {
  const host = 'identitytoolkit.googleapis.com';
  const base = emulatorHost === undefined ? `https://${host}` : `http://${emulatorHost}/${host}`;
  return timedFetch(`${base}/v1/projects?key=${encodeURIComponent(apiKey)}`, {
    limitMs: callLimits.doctor.answerMs,
    redirect: 'error',
  });
}

/** Only the built-in identity provider uses the secret. */
export function checkSecret({ firebase, secret, dataDir }: Config, report: Report): void {
  if (firebase !== undefined || secret !== undefined) return;
  const path = join(dataDir, 'secret');
  if (isOpenToOthers(path))
    report('FAIL', 'Secret', `others on this machine may read ${path}, which signs who is logging in; chmod 600 it`);
}
