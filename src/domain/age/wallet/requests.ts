import { proofClaim, proofType } from './check-answer.ts';
import { DeviceRequest, DocRequest, ItemsRequest, base64url, cborEncode } from './mdoc.ts';
import type { WalletRequest } from './private-key.ts';
import { clientIdOf } from './transcripts.ts';

/** The name of the one question, under which the answer comes. */
export const questionId = 'age';

const question = {
  credentials: [
    {
      id: questionId,
      format: 'mso_mdoc',
      meta: { doctype_value: proofType },
      claims: [{ path: [proofType, proofClaim] }],
    },
  ],
};

/** For a wallet on this device, or as a QR code for another one. */
export function walletLink(responseUri: string, nonce: string): string {
  const query = {
    response_type: 'vp_token',
    response_mode: 'direct_post',
    client_id: clientIdOf(responseUri),
    response_uri: responseUri,
    dcql_query: JSON.stringify(question),
    nonce,
  };
  // Shorter than forms write it, for larger squares of the QR code.
  const written = (text: string) =>
    encodeURIComponent(text).replaceAll('%3A', ':').replaceAll('%2F', '/').replaceAll('%2C', ',');
  return `av://?${Object.entries(query)
    .map(([name, value]) => `${name}=${written(value)}`)
    .join('&')}`;
}

/** For `navigator.credentials.get({ digital: { requests } })`. */
export function browserRequests({ nonce, privateKey }: WalletRequest) {
  return [
    {
      protocol: 'openid4vp-v1-unsigned',
      data: { response_type: 'vp_token', response_mode: 'dc_api', nonce, dcql_query: question },
    },
    {
      protocol: 'org-iso-mdoc',
      data: {
        deviceRequest: base64url.encode(deviceRequest().encode()),
        encryptionInfo: encryptionInfo({ nonce, privateKey }),
      },
    },
  ];
}

/** The key with which a wallet encrypts its answer by annex C, as it is sent and signed. */
export function encryptionInfo({ nonce, privateKey: { x, y } }: WalletRequest): string {
  const recipientPublicKey = new Map<number, unknown>([
    [1, 2],
    [-1, 1],
    [-2, base64url.decode(x)],
    [-3, base64url.decode(y)],
  ]);
  const info = new Map<string, unknown>([
    ['nonce', base64url.decode(nonce)],
    ['recipientPublicKey', recipientPublicKey],
  ]);
  return base64url.encode(cborEncode(['dcapi', info]));
}

/** The same question in the words of ISO 18013-5. */
export function deviceRequest(docType = proofType, claim = proofClaim): DeviceRequest {
  const itemsRequest = ItemsRequest.create({ docType, namespaces: { [docType]: { [claim]: false } } });
  return DeviceRequest.create({ docRequests: [DocRequest.create({ itemsRequest })] });
}
