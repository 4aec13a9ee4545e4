import { createHash } from 'node:crypto';
import { mdocContext } from './mdoc-context.ts';
import { QrHandover, SessionTranscript, cborEncode } from './mdoc.ts';

/** Binds an answer to one request of this site: the wallet signs it. */
export type Transcript = SessionTranscript;

/** The prefix says that nobody vouches for this site but its own address. */
export const clientIdOf = (responseUri: string) => `redirect_uri:${responseUri}`;

/** OpenID4VP, `direct_post`. */
export function ofDirectPost(responseUri: string, nonce: string): Promise<Transcript> {
  return SessionTranscript.forOid4Vp({ clientId: clientIdOf(responseUri), responseUri, nonce }, mdocContext);
}

/** OpenID4VP in the browser. */
export function ofBrowser(origin: string, nonce: string): Promise<Transcript> {
  return SessionTranscript.forOid4VpDcApi({ origin, nonce }, mdocContext);
}

/**
 * ISO 18013-7, annex C, which the library lacks, and whose base class it does not export.
 *
 * @param encryptionInfo as it was sent
 */
export function ofAnnexC(origin: string, encryptionInfo: string): Transcript {
  const hash = createHash('sha256')
    .update(cborEncode([encryptionInfo, origin]))
    .digest();
  const handover = Object.create(QrHandover.prototype, {
    encodedStructure: { value: ['dcapi', Uint8Array.from(hash)] },
    requiresDeviceEngagement: { value: false },
    requiresReaderKey: { value: false },
  }) as QrHandover;
  return SessionTranscript.create({ handover });
}
