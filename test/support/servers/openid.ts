import { type IncomingMessage, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { OAuth2Server } from 'oauth2-mock-server';
import type { Page } from 'playwright-core';

export type Person = { id: string; email: string };

/**
 * An OpenID provider instead of Google and Facebook: its window asks for the account and for consent.
 * @returns its address, and a function that stops it
 */
export async function startOpenId(): Promise<{ issuer: string; close(): Promise<void> }> {
  const provider = new OAuth2Server();
  await provider.issuer.keys.generate('RS256');
  let person: Person = { id: '', email: '' };
  provider.service.on('beforeAuthorizeRedirect', (_redirect: unknown, request: IncomingMessage) => {
    const asked = new URL(request.url ?? '', 'http://provider').searchParams;
    person = { id: asked.get('person_id') ?? '', email: asked.get('person_email') ?? '' };
  });
  provider.service.on('beforeTokenSigning', (token: { payload: Record<string, unknown> }) => {
    Object.assign(token.payload, { sub: person.id, email: person.email, email_verified: true });
  });
  provider.service.on('beforeUserinfo', (answer: { body: Record<string, unknown> }) => {
    answer.body = { sub: person.id, ...person };
  });
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://provider');
    if (pathname !== '/authorize' || searchParams.has('person_id'))
      return provider.service.requestHandler(request, response);
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
    response.end(consentPage(searchParams));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  provider.issuer.url = issuer;
  return {
    issuer,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** For the settings of the built-in identity provider. */
export function socialAt(issuer: string) {
  return {
    google: { clientId: 'google-client', clientSecret: 'google-secret', issuer },
    facebook: {
      clientId: 'facebook-client',
      clientSecret: 'facebook-secret',
      authorizationUrl: `${issuer}/authorize`,
      tokenUrl: `${issuer}/token`,
      userInfoUrl: `${issuer}/userinfo`,
    },
  };
}

/** Signs in within the provider's open window. */
export async function allowAs(popup: Page, { id, email }: Person): Promise<void> {
  await popup.getByLabel('Id').fill(id);
  await popup.getByLabel('Email').fill(email);
  const gone = popup.waitForEvent('close');
  await popup.getByRole('button', { name: 'Allow' }).click();
  await gone;
}

function consentPage(asked: URLSearchParams): string {
  const kept = [...asked].map(([name, value]) => `<input type="hidden" name="${name}" value="${escaped(value)}">`);
  const back = new URL(asked.get('redirect_uri') ?? '');
  back.searchParams.set('error', 'access_denied');
  back.searchParams.set('state', asked.get('state') ?? '');
  return `<!doctype html><title>Provider</title>
<form action="/authorize">${kept.join('')}
<label>Id <input name="person_id"></label><label>Email <input name="person_email"></label>
<button>Allow</button></form><a href="${escaped(back.href)}">Refuse</a>`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}
