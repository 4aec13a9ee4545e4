import { createHmac } from 'node:crypto';
import type { GenericOAuthConfig } from 'better-auth/plugins';
import type { SocialProvider } from '#domain/identity/social-rules.ts';
import { callLimits } from '../call-limits.ts';
import { timedFetch } from '../timed-fetch.ts';

export type SocialClient = {
  clientId: string;
  clientSecret: string;
  /** Issuer of the discovery document; the provider's own when absent, like the addresses. */
  issuer?: string | undefined;
  authorizationUrl?: string | undefined;
  tokenUrl?: string | undefined;
  userInfoUrl?: string | undefined;
};

export type SocialSettings = Partial<Record<SocialProvider, SocialClient>>;

/** Facebook's Graph API; a version works for two years after the next one is released. */
const graph = 'v24.0';

/** Names and pictures are not requested: the site asks for a username and shows no portraits. */
const withoutPortrait = { name: '', image: undefined };

/** @returns undefined when the operator has not configured this provider */
export function socialConfig(provider: SocialProvider, settings: SocialSettings): GenericOAuthConfig | undefined {
  const client = settings[provider];
  if (client === undefined) return undefined;
  const { clientId, clientSecret } = client;
  return {
    providerId: provider,
    clientId,
    clientSecret,
    mapProfileToUser: () => withoutPortrait,
    ...protocols[provider](client),
  };
}

type Protocol = Omit<GenericOAuthConfig, 'providerId' | 'clientId' | 'clientSecret' | 'mapProfileToUser'>;

const protocols: Record<SocialProvider, (client: SocialClient) => Protocol> = {
  google: ({ issuer = 'https://accounts.google.com' }) => ({
    discoveryUrl: `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`,
    requireIdTokenVerification: true,
    scopes: ['openid', 'email'],
    // Shared computers: show which account signs in.
    prompt: 'select_account',
  }),
  facebook: (client) => ({
    authorizationUrl: client.authorizationUrl ?? `https://www.facebook.com/${graph}/dialog/oauth`,
    tokenUrl: client.tokenUrl ?? `https://graph.facebook.com/${graph}/oauth/access_token`,
    scopes: ['email', 'public_profile'],
    getUserInfo: ({ accessToken }) => findFacebookUser(client, accessToken),
  }),
};

async function findFacebookUser({ clientSecret, userInfoUrl }: SocialClient, accessToken: string | undefined) {
  if (!accessToken) return null;
  const url = new URL(userInfoUrl ?? `https://graph.facebook.com/${graph}/me`);
  url.searchParams.set('fields', 'id,email');
  // https://developers.facebook.com/docs/graph-api/guides/secure-requests
  url.searchParams.set('appsecret_proof', createHmac('sha256', clientSecret).update(accessToken).digest('hex'));
  const answer = await timedFetch(url, {
    headers: { authorization: `Bearer ${accessToken}` },
    redirect: 'error',
    limitMs: callLimits.facebookAccount.answerMs,
  });
  if (!answer.ok) return null;
  const { id, email } = (await answer.json()) as { id?: unknown; email?: unknown };
  if (typeof id !== 'string' || !/^\d{1,40}$/.test(id)) return null;
  const address = typeof email === 'string' && email.includes('@') ? email : `${id}@${withoutEmail}`;
  // Facebook does not say whether an address was confirmed.
  return { id, email: address, emailVerified: false };
}

/** Some accounts at Facebook have no e-mail, and better-auth needs one. `.invalid` reaches nobody (RFC 6761 §6.4). */
const withoutEmail = 'facebook.invalid';

/** The address of an account, or undefined for a placeholder. */
export function realEmail(email: string): string | undefined {
  return isReservedEmail(email) ? undefined : email;
}

/** Whether an address is a placeholder; a user who registers one would block its account. */
export function isReservedEmail(email: string): boolean {
  return /[@.]invalid$/i.test(email);
}
