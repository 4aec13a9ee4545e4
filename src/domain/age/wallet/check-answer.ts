import type { X509Certificate } from 'node:crypto';
import { mdocContext } from './mdoc-context.ts';
import { DeviceResponse } from './mdoc.ts';
import type { Transcript } from './transcripts.ts';

/** Document type and namespace of the EU age verification profile. */
export const proofType = 'eu.europa.ec.av.1';
export const proofClaim = 'age_over_18';

/** A proof with a chain of certificates has some 2 kB. */
export const maxAnswerBytes = 16 * 1024;

export type AnswerRefusal =
  /** No document of the profile, or more than one. */
  | 'wrong-document'
  /** A signature, a certificate, a date or the request does not fit. */
  | 'not-proven'
  | 'not-of-age'
  | 'malformed';
export type AnswerCheck = { ok: true } | { ok: false; reason: AnswerRefusal };

type Expected = { transcript: Transcript; trusted: readonly X509Certificate[]; now?: Date };

/**
 * Checks a wallet's answer to one request. Any bytes are answered, none throws.
 *
 * @param answer `DeviceResponse` of ISO 18013-5
 */
export async function checkAnswer(answer: Uint8Array, { transcript, trusted, now }: Expected): Promise<AnswerCheck> {
  if (answer.length > maxAnswerBytes) return refuse('malformed');
  try {
    return await check(DeviceResponse.decode(answer), { transcript, trusted, now: now ?? new Date() });
  } catch {
    return refuse('malformed');
  }
}

const refuse = (reason: AnswerRefusal): AnswerCheck => ({ ok: false, reason });

async function check(response: DeviceResponse, { transcript, trusted, now }: Required<Expected>): Promise<AnswerCheck> {
  // The library takes an answer without a document, and a document that names another type than its signer did.
  const { documents = [], documentErrors, status, version } = response;
  const [document] = documents;
  if (document === undefined || documents.length !== 1 || documentErrors !== undefined) return refuse('wrong-document');
  if (status !== 0 || version !== '1.0' || document.errors !== undefined) return refuse('wrong-document');
  const { issuerAuth, issuerNamespaces } = document.issuerSigned;
  // Parsed at each access otherwise.
  Object.defineProperty(issuerAuth, 'mobileSecurityObject', { value: issuerAuth.mobileSecurityObject });
  if (document.docType !== proofType || issuerAuth.mobileSecurityObject.docType !== proofType)
    return refuse('wrong-document');

  let isProven = true;
  await response.verify(
    {
      sessionTranscript: transcript,
      trustedCertificates: trusted.map(({ raw }) => raw),
      now,
      // It throws for a failed check, unless it has a listener.
      onCheck: (one) => (isProven &&= one.status === 'PASSED'),
    },
    mdocContext,
  );
  if (!isProven) return refuse('not-proven');
  // Never what the device itself adds.
  const items = issuerNamespaces?.issuerNamespaces.get(proofType) ?? [];
  const values = items.filter((one) => one.elementIdentifier === proofClaim).map((one) => one.elementValue);
  return values.length === 1 && values[0] === true ? { ok: true } : refuse('not-of-age');
}
