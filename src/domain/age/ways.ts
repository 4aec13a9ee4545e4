import type { OpenIdProvider } from '../gateways.ts';
import type { Settings } from '../settings/open-settings.ts';
import type { ProofOutcome, ProofRequest } from './proof-requests.ts';
import { type AgeWay, ageWays } from './rules.ts';
import { type AgeIssuers, type AgeSettings, ageIssuersSetting, ageSetting } from './settings.ts';
import { endOf, isInTime, issuerFacts, readCertificate } from './wallet/certificates.ts';
import type { openStandIn } from './wallet/stand-in.ts';

/** A provider that says whether a person is old enough. */
export type AgeProvider = {
  name: string;
  /** Visitors go there. */
  host: string;
  client: OpenIdProvider;
  claim: string;
  /** Compared with the claim, type and all. */
  value: string | number | boolean;
};

const refused = (reason: Extract<ProofOutcome, { ok: false }>['reason']): ProofOutcome => ({ ok: false, reason });

/** Ways to prove an age behind one seam: which can be used and are on, and the check of what each of them answers. */
export function openWays({
  settings,
  provider,
  isOnlyLocal,
  siteUrl,
}: {
  settings: Pick<Settings, 'read'>;
  provider: AgeProvider | undefined;
  isOnlyLocal: boolean;
  siteUrl: string;
}) {
  const { origin } = new URL(siteUrl);
  const returnTo = `${siteUrl}/age/return`;
  const responseUri = ({ id }: Pick<ProofRequest, 'id'>) => `${siteUrl}/age/wallet/${id}`;
  let read: { of: object; certificates: NonNullable<ReturnType<typeof readCertificate>>[] } | undefined;

  function trusted(of = settings.read(ageIssuersSetting)) {
    if (read?.of !== of) {
      const certificates = of.certificates.map(readCertificate).filter((one) => one !== undefined);
      read = { of, certificates };
    }
    return read.certificates.filter((one) => isInTime(one, new Date()));
  }

  // Some 100 ms and 6 MB, which sites without proofs do without.
  const loadWallet = async () => ({
    ...(await import('./wallet/check-answer.ts')),
    ...(await import('./wallet/read-answer.ts')),
    ...(await import('./wallet/requests.ts')),
    ...(await import('./wallet/transcripts.ts')),
  });
  type Wallet = Awaited<ReturnType<typeof loadWallet>>;

  async function checked(
    { checkAnswer }: Wallet,
    document: Uint8Array | undefined,
    expected: Parameters<Wallet['checkAnswer']>[1],
  ): Promise<ProofOutcome> {
    if (document === undefined) return refused('unchecked');
    const check = await checkAnswer(document, expected);
    return check.ok ? check : refused(check.reason === 'not-of-age' ? 'not-of-age' : 'unchecked');
  }

  const isUsable: Record<AgeWay, (issuers?: AgeIssuers) => boolean> = {
    wallet: (issuers) => trusted(issuers).length > 0,
    provider: () => provider !== undefined,
    'stand-in': () => isOnlyLocal,
  };
  let standIn: ReturnType<typeof openStandIn> | undefined;

  return {
    usable: () => ageWays.filter((way) => isUsable[way]()),
    offered: ({ ways }: Pick<AgeSettings, 'ways'> = settings.read(ageSetting), issuers?: AgeIssuers) =>
      ageWays.filter((way) => ways[way] && isUsable[way](issuers)),
    provider: provider && { name: provider.name, host: provider.host },
    issuers: () =>
      settings.read(ageIssuersSetting).certificates.flatMap((pem) => {
        const facts = issuerFacts(pem);
        return facts === undefined ? [] : [{ ...facts, ends: endOf(facts) }];
      }),

    async walletLink(request: ProofRequest): Promise<string> {
      const { walletLink } = await loadWallet();
      return walletLink(responseUri(request), request.nonce);
    },
    async browserRequests(request: ProofRequest) {
      const { browserRequests } = await loadWallet();
      return browserRequests(request);
    },
    /** @param vpToken as a wallet has sent it */
    async checkSent(request: ProofRequest, vpToken: string | null): Promise<ProofOutcome> {
      const wallet = await loadWallet();
      const transcript = await wallet.ofDirectPost(responseUri(request), request.nonce);
      return checked(wallet, wallet.documentIn(vpToken), { transcript, trusted: trusted() });
    },
    /** @param answer as a browser passes it on */
    async checkPassedOn(request: ProofRequest, answer: { protocol: string; data: unknown }): Promise<ProofOutcome> {
      const wallet = await loadWallet();
      if (answer.protocol === 'org-iso-mdoc') {
        const document = await wallet.decryptedDocument(answer.data, request, origin);
        const transcript = wallet.ofAnnexC(origin, wallet.encryptionInfo(request));
        return checked(wallet, document, { transcript, trusted: trusted() });
      }
      if (answer.protocol !== 'openid4vp-v1-unsigned') return refused('unchecked');
      const transcript = await wallet.ofBrowser(origin, request.nonce);
      const token = (answer.data as { vp_token?: unknown } | null)?.vp_token;
      return checked(wallet, wallet.documentIn(token), { transcript, trusted: trusted() });
    },
    /** A wallet that says yes, checked like any other, but for its issuer. */
    async checkStandIn(request: ProofRequest): Promise<ProofOutcome> {
      if (!isOnlyLocal) return refused('unchecked');
      const wallet = await loadWallet();
      standIn ??= import('./wallet/stand-in.ts').then((module) => module.openStandIn());
      const { pem, answer } = await standIn;
      const root = readCertificate(pem);
      const transcript = () => wallet.ofDirectPost(responseUri(request), request.nonce);
      const expected = { transcript: await transcript(), trusted: root === undefined ? [] : [root] };
      return checked(wallet, await answer(await transcript()), expected);
    },
    /** The provider’s page; undefined: it does not answer. */
    async providerPage({ id, nonce, codeVerifier }: ProofRequest): Promise<URL | undefined> {
      return provider?.client.begin({ returnTo, state: id, nonce, codeVerifier });
    },
    /** @param back the address that the browser came back to. @returns undefined: the provider does not answer */
    async checkReturn(
      { id, nonce, codeVerifier }: ProofRequest,
      back: URL,
    ): Promise<ProofOutcome | { ok: false; reason: 'unavailable' }> {
      if (provider === undefined) return refused('unchecked');
      const { claim, client, value } = provider;
      const answer = await client.finish(back, { returnTo, state: id, nonce, codeVerifier }, [claim]);
      if (answer.ok) return answer.claims[claim] === value ? { ok: true } : refused('not-of-age');
      return answer.reason === 'invalid' ? refused('unchecked') : { ok: false, reason: answer.reason };
    },
  };
}
