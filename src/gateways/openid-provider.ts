import type { Configuration } from 'openid-client';
import type { OpenIdAnswer, OpenIdProvider, OpenIdVisit } from '#domain/gateways.ts';
import { refuseInTransaction } from '#domain/kernel/open-transaction.ts';
import { isLoopback } from '#domain/kernel/rules.ts';
import { callLimits } from './call-limits.ts';
import { timedFetch } from './timed-fetch.ts';

export type OpenIdClient = { issuer: string; clientId: string; clientSecret: string; scope: string };

const knownForMs = 60 * 60 * 1000;

/** Asks a provider of OpenID Connect for facts about a person. No account follows from it, and no identifier is read. */
export function openOpenIdProvider({ issuer, clientId, clientSecret, scope }: OpenIdClient): OpenIdProvider {
  let known: { configuration: Configuration; at: number } | undefined;

  /** @throws while the provider does not answer */
  async function discover() {
    const library = await import('openid-client');
    if (known === undefined || Date.now() - known.at > knownForMs) {
      const options = {
        [library.customFetch]: limitedFetch,
        // Without TLS on this machine only.
        ...(isLoopback(new URL(issuer).hostname) && { execute: [library.allowInsecureRequests] }),
      };
      const found = await library.discovery(new URL(issuer), clientId, clientSecret, undefined, options);
      known = { configuration: found, at: Date.now() };
    }
    return { library, configuration: known.configuration };
  }

  return {
    async begin({ returnTo, state, nonce, codeVerifier }) {
      refuseInTransaction('An OpenID provider');
      try {
        const { library, configuration } = await discover();
        return library.buildAuthorizationUrl(configuration, {
          redirect_uri: returnTo,
          scope,
          state,
          nonce,
          code_challenge: await library.calculatePKCECodeChallenge(codeVerifier),
          code_challenge_method: 'S256',
        });
      } catch {
        return undefined;
      }
    },
    async finish(back, visit, names) {
      refuseInTransaction('An OpenID provider');
      try {
        return await answerTo(back, visit, names);
      } catch (error) {
        return { ok: false, reason: reasonOf(error) };
      }
    },
  };

  async function answerTo(back: URL, visit: OpenIdVisit, names: readonly string[]): Promise<OpenIdAnswer> {
    const { library, configuration } = await discover();
    // Behind a proxy, the request's own address is another one.
    const address = Object.assign(new URL(visit.returnTo), { search: back.search });
    const tokens = await library.authorizationCodeGrant(configuration, address, {
      pkceCodeVerifier: visit.codeVerifier,
      expectedState: visit.state,
      expectedNonce: visit.nonce,
      idTokenExpected: true,
    });
    const claims: Record<string, unknown> = tokens.claims() ?? {};
    const isWhole = names.every((name) => claims[name] !== undefined);
    const more: Record<string, unknown> =
      isWhole || configuration.serverMetadata().userinfo_endpoint === undefined
        ? {}
        : await library.fetchUserInfo(configuration, tokens.access_token, String(claims['sub']));
    return { ok: true, claims: Object.fromEntries(names.map((name) => [name, claims[name] ?? more[name]])) };
  }
}

function limitedFetch(
  url: string,
  { signal: _signal, ...init }: { signal?: AbortSignal | undefined },
): Promise<Response> {
  return timedFetch(url, { ...init, redirect: 'error', limitMs: callLimits.openId.answerMs });
}

/** No answer, or none of the protocol. */
const failures = ['ETIMEDOUT', 'OAUTH_RESPONSE_IS_NOT_CONFORM', 'OAUTH_RESPONSE_IS_NOT_JSON'];

function reasonOf(failure: unknown): 'denied' | 'invalid' | 'unavailable' {
  const { code, error, cause } = failure as { code?: string; error?: string; cause?: unknown };
  if (error === 'access_denied') return 'denied';
  if (code !== undefined) return failures.includes(code) ? 'unavailable' : 'invalid';
  // The library wraps what its `fetch` throws.
  if (cause instanceof Error) return failure instanceof TypeError ? 'unavailable' : reasonOf(cause);
  return failure instanceof TypeError ? 'unavailable' : 'invalid';
}
