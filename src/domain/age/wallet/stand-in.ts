import { webcrypto } from 'node:crypto';
import { proofClaim, proofType } from './check-answer.ts';
import { mdocContext } from './mdoc-context.ts';
import { CoseKey, DeviceKey, Holder, Issuer, type IssuerSigned } from './mdoc.ts';
import { deviceRequest } from './requests.ts';
import type { Transcript } from './transcripts.ts';

const day = 24 * 60 * 60 * 1000;
const curve = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
type Jwk = webcrypto.JsonWebKey & { kty: string };

export type Authority = { keys: webcrypto.CryptoKeyPair; name: string; pem: string; der: Uint8Array };
type CertificateOptions = {
  name?: string;
  by?: Authority;
  isAuthority?: boolean;
  from?: Date;
  until?: Date;
};

/** Makes a certificate, by itself or by an authority. The library takes as long to load as all others together. */
export async function makeCertificate(options: CertificateOptions = {}): Promise<Authority> {
  const { name = 'CN=Stand-in, C=UT', by, isAuthority = by === undefined } = options;
  const { from = new Date(Date.now() - day), until = new Date(Date.now() + 365 * day) } = options;
  const { BasicConstraintsExtension, KeyUsageFlags, KeyUsagesExtension, X509CertificateGenerator, cryptoProvider } =
    await import('@peculiar/x509');
  cryptoProvider.set(webcrypto as never);
  const keys = await webcrypto.subtle.generateKey(curve, true, ['sign', 'verify']);
  const certificate = await X509CertificateGenerator.create({
    subject: name,
    issuer: by?.name ?? name,
    notBefore: from,
    notAfter: until,
    publicKey: keys.publicKey,
    signingKey: (by?.keys ?? keys).privateKey,
    signingAlgorithm: curve,
    extensions: [
      new BasicConstraintsExtension(isAuthority, undefined, true),
      new KeyUsagesExtension(isAuthority ? KeyUsageFlags.keyCertSign : KeyUsageFlags.digitalSignature, true),
    ],
  } as never);
  return { keys, name, pem: certificate.toString('pem'), der: new Uint8Array(certificate.rawData) };
}

async function jwkOf(key: webcrypto.CryptoKey): Promise<Jwk> {
  const { kty, crv, x, y, d } = await webcrypto.subtle.exportKey('jwk', key);
  // Without `alg`, the library writes no algorithm into the header.
  return { kty, crv, x, y, ...(d !== undefined && { d }), alg: 'ES256' } as Jwk;
}

export type Proof = { issuerSigned: IssuerSigned; deviceKey: CoseKey };
type ProofOptions = {
  /** Signer first. */
  chain: Authority[];
  type?: string;
  claims?: Record<string, unknown>;
  validFrom?: Date;
  validUntil?: Date;
};

/** Issues a proof of age for a new key of a wallet. */
export async function issueProof(options: ProofOptions): Promise<Proof> {
  const { chain, type = proofType, claims = { [proofClaim]: true } } = options;
  const { validFrom = new Date(Date.now() - 60_000), validUntil = new Date(Date.now() + day) } = options;
  const [signer] = chain;
  if (signer === undefined) throw new Error('A proof has a signer');
  const keys = await webcrypto.subtle.generateKey(curve, true, ['sign', 'verify']);
  const issuerSigned = await new Issuer(type, mdocContext).addIssuerNamespace(type, claims).sign({
    signingKey: (await jwkOf(signer.keys.privateKey)) as never,
    algorithm: -7 as never,
    digestAlgorithm: 'SHA-256',
    validityInfo: { signed: validFrom, validFrom, validUntil },
    deviceKeyInfo: { deviceKey: DeviceKey.fromJwk((await jwkOf(keys.publicKey)) as never) as DeviceKey },
    certificates: chain.map(({ der }) => der),
  });
  return { issuerSigned, deviceKey: CoseKey.fromJwk((await jwkOf(keys.privateKey)) as never) };
}

/** A wallet's answer to a request. */
export async function answerWith(
  { issuerSigned, deviceKey }: Proof,
  transcript: Transcript,
  asked = deviceRequest(),
): Promise<Uint8Array> {
  const response = await Holder.createDeviceResponseForDeviceRequest(
    {
      deviceRequest: asked,
      issuerSigned: [issuerSigned],
      sessionTranscript: transcript,
      signature: { signingKey: deviceKey },
    },
    mdocContext,
  );
  return response.encode();
}

/** Issuer and wallet of a site that only its own machine can open. Nothing is proven. */
export async function openStandIn() {
  const root = await makeCertificate();
  const signer = await makeCertificate({ by: root, name: 'CN=Stand-in signer, C=UT' });
  return {
    pem: root.pem,
    answer: async (transcript: Transcript) => answerWith(await issueProof({ chain: [signer] }), transcript),
  };
}
