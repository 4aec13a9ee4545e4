import { Aes128Gcm, CipherSuite, DhkemP256HkdfSha256, HkdfSha256 } from '@hpke/core';
import { z } from 'zod';
import { maxAnswerBytes } from './check-answer.ts';
import { base64url, cborDecode } from './mdoc.ts';
import type { WalletRequest } from './private-key.ts';
import { encryptionInfo, questionId } from './requests.ts';
import { ofAnnexC } from './transcripts.ts';

const Encoded = z
  .string()
  .max(Math.ceil((maxAnswerBytes * 4) / 3))
  .regex(/^[\w-]+$/);

/** Drafts of OpenID4VP had a text instead of a list. */
const VpToken = z.strictObject({ [questionId]: z.union([z.tuple([Encoded]), Encoded.transform((one) => [one])]) });

/** The one document in OpenID4VP's `vp_token`; undefined for anything else. @param given JSON, or its value */
export function documentIn(given: unknown): Uint8Array | undefined {
  const { success, data } = VpToken.safeParse(typeof given === 'string' ? jsonIn(given) : given);
  return success ? bytesOf(data[questionId]?.[0]) : undefined;
}

/** The document that a browser passes on by annex C of ISO 18013-7; undefined for anything else. */
export async function decryptedDocument(given: unknown, request: WalletRequest, origin: string) {
  const response = bytesOf(z.object({ response: Encoded }).safeParse(given).data?.response);
  if (response === undefined) return undefined;
  try {
    const [protocol, parts] = z.tuple([z.string(), z.instanceof(Map)]).parse(cborDecode(response));
    if (protocol !== 'dcapi') return undefined;
    const [enc, cipherText] = z.array(z.instanceof(Uint8Array)).parse([parts.get('enc'), parts.get('cipherText')]);
    const suite = hpke();
    const recipientKey = await suite.kem.importKey('jwk', request.privateKey as never, false);
    const info = ofAnnexC(origin, encryptionInfo(request)).encode();
    return new Uint8Array(
      await suite.open({ recipientKey, enc: enc as never, info: info as never }, cipherText as never),
    );
  } catch {
    return undefined;
  }
}

export function hpke(): CipherSuite {
  return new CipherSuite({ kem: new DhkemP256HkdfSha256(), kdf: new HkdfSha256(), aead: new Aes128Gcm() });
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Undefined for text that is not exactly what its bytes are written as. */
function bytesOf(text: string | undefined): Uint8Array | undefined {
  if (text === undefined) return undefined;
  const bytes = base64url.decode(text);
  return base64url.encode(bytes) === text ? bytes : undefined;
}
