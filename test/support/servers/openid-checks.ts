import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { OAuth2Server } from 'oauth2-mock-server';

/**
 * An OpenID provider that checks people, instead of an age or identity provider. It allows each visit at once.
 *
 * @returns its address; `says` sets the claims of its next answers, `does` changes an answer before it is signed
 */
export async function startOpenIdChecks() {
  const provider = new OAuth2Server();
  await provider.issuer.keys.generate('RS256');
  const state: { claims: Record<string, unknown>; userInfo: Record<string, unknown>; isSilent: boolean } = {
    claims: { age_over_18: true },
    userInfo: {},
    isSilent: false,
  };
  const who = { sub: 'person-4711', birthdate: '1990-01-02', email: 'person@example.org' };
  provider.service.on('beforeTokenSigning', (token: { payload: Record<string, unknown> }) => {
    Object.assign(token.payload, who, state.claims);
  });
  provider.service.on('beforeUserinfo', (answer: { body: Record<string, unknown> }) => {
    answer.body = { ...who, ...state.userInfo };
  });
  const server = createServer((request, response) => {
    if (!state.isSilent) provider.service.requestHandler(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  provider.issuer.url = issuer;
  return {
    issuer,
    state,
    /** The address that a browser is led to which allows the visit. */
    async allow(page: URL): Promise<URL> {
      const { headers } = await fetch(page, { redirect: 'manual' });
      return new URL(headers.get('location') ?? '');
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
