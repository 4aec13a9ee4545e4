import { join } from 'node:path';
import type { Config } from '#config';
import { callLimits } from '#gateways/call-limits.ts';
import { timedFetch } from '#gateways/timed-fetch.ts';
import { isOpenToOthers } from './data-dir.ts';
import { type Report, reportOn } from './report.ts';

export async function checkSignIn({ firebase, social, siteUrl }: Config, report: Report): Promise<void> {
  if (firebase !== undefined) return checkFirebase(firebase, siteUrl, report);
  const offered = Object.keys(social);
  const part = reportOn('Sign-in', report);
  if (offered.length === 0) part.ok(/*i18n*/ { id: 'doctor.sign-in.password', message: 'built in, by password' });
  else
    part.ok(
      /*i18n*/ {
        id: 'doctor.sign-in.social',
        message: 'built in, by password and {providers}',
        values: { providers: offered.join(', ') },
      },
    );
  for (const name of offered)
    part.ok(
      /*i18n*/ {
        id: 'doctor.sign-in.callback',
        message: '{name} has to know this address to return to: {address}',
        values: { name, address: `${siteUrl}/identity/callback/${name}` },
      },
    );
}

async function checkFirebase(
  firebase: NonNullable<Config['firebase']>,
  siteUrl: string,
  report: Report,
): Promise<void> {
  const part = reportOn('Sign-in', report);
  try {
    const answer = await askFirebase(firebase);
    if (!answer.ok)
      return part.fail(
        /*i18n*/ {
          id: 'doctor.sign-in.refused',
          message: 'Firebase refuses the API key (status {status}); see FIREBASE_API_KEY',
          values: { status: String(answer.status) },
        },
      );
    const { authorizedDomains } = (await answer.json()) as { authorizedDomains?: string[] };
    const { hostname } = new URL(siteUrl);
    const isAuthorized = authorizedDomains?.includes(hostname) ?? true;
    if (isAuthorized)
      part.ok(
        /*i18n*/ {
          id: 'doctor.sign-in.firebase',
          message: 'Firebase, project {project}',
          values: { project: firebase.projectId },
        },
      );
    else
      part.warn(
        /*i18n*/ {
          id: 'doctor.sign-in.domain',
          message: '{hostname} is not among the authorized domains of {project}; Google cannot be used',
          values: { hostname, project: firebase.projectId },
        },
      );
  } catch (error) {
    const { cause = error } = error as { cause?: unknown };
    const { code, name } = cause as NodeJS.ErrnoException;
    part.fail(
      /*i18n*/ {
        id: 'doctor.sign-in.unreachable',
        message: 'Firebase cannot be reached ({code}), so nobody can log in',
        values: { code: code ?? name },
      },
    );
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
    report(
      'FAIL',
      'Secret',
      /*i18n*/ {
        id: 'doctor.secret.open',
        message: 'others on this machine may read {path}, which signs who is logging in; chmod 600 it',
        values: { path },
      },
    );
}
