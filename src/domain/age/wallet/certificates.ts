import { X509Certificate } from 'node:crypto';

/** Signer of the proof, then its issuers. */
const longestChain = 3;
const longestPem = 8 * 1024;
const day = 24 * 60 * 60 * 1000;
const block = /^-----BEGIN CERTIFICATE-----[\sA-Za-z0-9+/=]+-----END CERTIFICATE-----$/;

export type IssuerFacts = {
  /** SHA-256 of the certificate, in hex. */
  fingerprint: string;
  name: string;
  validFrom: Date;
  validUntil: Date;
};

/** @returns undefined for text that is not one certificate */
export function readCertificate(pem: string): X509Certificate | undefined {
  const text = pem.trim();
  if (text.length > longestPem || !block.test(text)) return undefined;
  try {
    return new X509Certificate(text);
  } catch {
    return undefined;
  }
}

/** @returns undefined for text that is not one certificate */
export function issuerFacts(pem: string): IssuerFacts | undefined {
  const certificate = readCertificate(pem);
  if (certificate === undefined) return undefined;
  const { fingerprint256, subject, validFromDate, validToDate } = certificate;
  const named = (field: string) => nameField(subject, field)[0];
  return {
    fingerprint: fingerprint256.replaceAll(':', '').toLowerCase(),
    name: [named('CN') ?? named('O') ?? subject, named('C')].filter(Boolean).join(', '),
    validFrom: validFromDate,
    validUntil: validToDate,
  };
}

/** @param name subject or issuer, as OpenSSL writes it: a field in each line */
export function nameField(name: string | undefined, field: string): string[] {
  const lines = (name ?? '').split('\n').filter((line) => line.startsWith(`${field}=`));
  return lines.map((line) => line.slice(field.length + 1));
}

/** @throws Error for bytes that are not exactly one certificate */
export function certificateOf(bytes: Uint8Array): X509Certificate {
  const certificate = new X509Certificate(bytes);
  if (!certificate.raw.equals(bytes)) throw new Error('There is more than a certificate');
  return certificate;
}

/**
 * Whether each certificate is in time and signed by the next one, and the last one is trusted or signed by a trusted one.
 *
 * @param chain the signer first
 */
export function isTrusted(chain: readonly X509Certificate[], trusted: readonly X509Certificate[], now: Date): boolean {
  const last = chain.at(-1);
  if (last === undefined || chain.length > longestChain) return false;
  const isListed = (one: X509Certificate) => trusted.some(({ raw }) => raw.equals(one.raw));
  return (
    chain.every((one) => isInTime(one, now)) &&
    chain.every((one, index) => index === 0 || isSignedBy(chain[index - 1] as X509Certificate, one)) &&
    (isListed(last) || trusted.some((one) => isInTime(one, now) && isSignedBy(last, one)))
  );
}

export function isInTime({ validFromDate, validToDate }: X509Certificate, now: Date): boolean {
  return validFromDate <= now && now <= validToDate;
}

export type IssuerEnd = 'over' | 'soon' | 'later';

/** `soon`: within 60 days. */
export function endOf({ validUntil }: IssuerFacts, now = new Date()): IssuerEnd {
  const days = (validUntil.getTime() - now.getTime()) / day;
  return days < 0 ? 'over' : days < 60 ? 'soon' : 'later';
}

/** `checkIssued` compares names and key identifiers, and asks whether the issuer may sign certificates. */
function isSignedBy(one: X509Certificate, issuer: X509Certificate): boolean {
  const isStrong = /sha(?:256|384|512)$/i.test(one.signatureAlgorithm ?? '');
  return isStrong && issuer.ca && one.checkIssued(issuer) && one.verify(issuer.publicKey);
}
