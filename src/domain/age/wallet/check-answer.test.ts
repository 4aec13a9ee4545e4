import { randomBytes, randomInt } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { slow } from '#test/support/tags.ts';
import { readCertificate } from './certificates.ts';
import { checkAnswer, maxAnswerBytes, proofType } from './check-answer.ts';
import { mdocContext } from './mdoc-context.ts';
import { DeviceNamespaces, DeviceSignedItems } from '@owf/mdoc';
import { Holder, base64url, cborDecode, cborEncode } from './mdoc.ts';
import { decryptedDocument, documentIn, hpke } from './read-answer.ts';
import { newPrivateKey } from './private-key.ts';
import { browserRequests, deviceRequest, encryptionInfo, walletLink } from './requests.ts';
import { type Authority, type Proof, answerWith, issueProof, makeCertificate } from './stand-in.ts';
import { type Transcript, ofAnnexC, ofBrowser, ofDirectPost } from './transcripts.ts';

const uri = 'https://sotto.example/age/wallet/0198a5d0-2b1c-7c3e-9d6f-1a2b3c4d5e6f';
const origin = 'https://sotto.example';
const nonce = 'n-0S6_WzA2Mj-abcdefghi';
const hour = 60 * 60 * 1000;
const fromNow = (hours: number) => new Date(Date.now() + hours * hour);

let root: Authority;
let signer: Authority;
let proof: Proof;
let good: Uint8Array;
let transcript: Transcript;
const trusted = () => [certificateOf(root)];

const certificateOf = ({ pem }: Authority) => {
  const certificate = readCertificate(pem);
  if (certificate === undefined) throw new Error('A certificate of the test cannot be read');
  return certificate;
};
const check = (answer: Uint8Array, by = trusted()) => checkAnswer(answer, { transcript, trusted: by });
const madeWith = async (options: Omit<Parameters<typeof issueProof>[0], 'chain'> & { chain?: Authority[] }) =>
  answerWith(await issueProof({ chain: [signer], ...options }), transcript);

const newWalletRequest = async () => ({
  nonce: randomBytes(16).toString('base64url'),
  privateKey: await newPrivateKey(),
});

beforeAll(async () => {
  root = await makeCertificate({ name: 'CN=Ages, C=FR' });
  signer = await makeCertificate({ name: 'CN=Ages signer, C=FR', by: root });
  proof = await issueProof({ chain: [signer] });
  transcript = await ofDirectPost(uri, nonce);
  good = await answerWith(proof, transcript);
});

/** Changes the answer after it was signed. */
type Node = Map<string, unknown>;
function altered(change: (response: Node, document: Node) => void, of = good): Uint8Array {
  const response = cborDecode(of) as Node;
  change(response, (response.get('documents') as Node[])[0] as Node);
  return cborEncode(response);
}

/** Items that the issuer has signed, by namespace. */
const itemsOf = (document: Node) => (document.get('issuerSigned') as Node).get('nameSpaces') as Node;

/** The library’s wallet passes on no claim of an age that is not a truth value. */
async function claiming(value: unknown): Promise<Uint8Array> {
  const odd = await issueProof({ chain: [signer], claims: { age_over_18: value, other: true } });
  const answer = await answerWith(odd, transcript, deviceRequest(proofType, 'other'));
  const signed = cborDecode(odd.issuerSigned.encode()) as Node;
  const [first] = (signed.get('nameSpaces') as Node).get(proofType) as unknown[];
  return altered((_, document) => itemsOf(document).set(proofType, [first]), answer);
}

test('a good answer is taken, by the root, by the signer itself, and through an authority between them', async () => {
  expect(await check(good)).toEqual({ ok: true });
  expect(await check(good, [certificateOf(signer)])).toEqual({ ok: true });
  const between = await makeCertificate({ name: 'CN=Between, C=FR', by: root, isAuthority: true });
  const own = await makeCertificate({ name: 'CN=Own signer, C=FR', by: between });
  expect(await check(await madeWith({ chain: [own, between] }))).toEqual({ ok: true });
  expect(await check(await madeWith({ chain: [own, between, root] }))).toEqual({ ok: true });
  expect(await check(await madeWith({ chain: [own] }))).toMatchObject({ ok: false });
});

test('the library does not word the faults of other schemas', () => {
  expect(z.string().safeParse(1).error?.issues[0]?.message).not.toContain('✖');
  expect(z.config().customError).toBeUndefined();
});

describe('refused is an answer', () => {
  const forgeries: Record<string, [string, () => Uint8Array | Promise<Uint8Array>]> = {
    'to another nonce': ['not-proven', async () => answerWith(proof, await ofDirectPost(uri, `${nonce}x`))],
    'to another address': ['not-proven', async () => answerWith(proof, await ofDirectPost(`${uri}x`, nonce))],
    'that was made for the browser': ['not-proven', async () => answerWith(proof, await ofBrowser(origin, nonce))],
    'of an unknown issuer of the same name': [
      'not-proven',
      async () => {
        const other = await makeCertificate({ name: root.name });
        return madeWith({ chain: [await makeCertificate({ name: signer.name, by: other })] });
      },
    ],
    'with a chain to an unlisted root of the same name': [
      'not-proven',
      async () => {
        const other = await makeCertificate({ name: root.name });
        return madeWith({ chain: [await makeCertificate({ name: signer.name, by: other }), other] });
      },
    ],
    'whose signer is vouched for by one that is no authority': [
      'not-proven',
      async () => madeWith({ chain: [await makeCertificate({ name: 'CN=Leaf, C=FR', by: signer }), signer] }),
    ],
    'with a chain that is too long': [
      'not-proven',
      async () => {
        const one = await makeCertificate({ name: 'CN=One, C=FR', by: root, isAuthority: true });
        const two = await makeCertificate({ name: 'CN=Two, C=FR', by: one, isAuthority: true });
        return madeWith({ chain: [await makeCertificate({ name: 'CN=Own, C=FR', by: two }), two, one, root] });
      },
    ],
    'that has run out': ['not-proven', () => madeWith({ validFrom: fromNow(-5), validUntil: fromNow(-1) })],
    'that does not count yet': ['not-proven', () => madeWith({ validFrom: fromNow(1), validUntil: fromNow(5) })],
    'of a signer that has run out': [
      'not-proven',
      async () =>
        madeWith({
          chain: [await makeCertificate({ name: signer.name, by: root, from: fromNow(-48), until: fromNow(-1) })],
        }),
    ],
    'of a signer that does not count yet': [
      'not-proven',
      async () => madeWith({ chain: [await makeCertificate({ name: signer.name, by: root, from: fromNow(1) })] }),
    ],
    'of an issuer without a country': [
      'not-proven',
      async () => {
        const nowhere = await makeCertificate({ name: 'CN=Nowhere' });
        return madeWith({ chain: [nowhere] });
      },
    ],
    'signed by another device': [
      'not-proven',
      async () => {
        const { deviceKey } = await issueProof({ chain: [signer] });
        return answerWith({ ...proof, deviceKey }, transcript);
      },
    ],
    'that says no': ['not-of-age', () => madeWith({ claims: { age_over_18: false } })],
    'that says “true” as text': ['not-of-age', () => claiming('true')],
    'that says 1': ['not-of-age', () => claiming(1)],
    'that says nothing of the age': [
      'not-of-age',
      () => altered((_, document) => itemsOf(document).set(proofType, [])),
    ],
    'about a younger age': [
      'not-of-age',
      async () => {
        const younger = await issueProof({ chain: [signer], claims: { age_over_16: true } });
        return answerWith(younger, transcript, deviceRequest(proofType, 'age_over_16'));
      },
    ],
    'whose age only the device adds': [
      'not-of-age',
      async () => {
        const younger = await issueProof({ chain: [signer], claims: { age_over_16: true } });
        const answer = await Holder.createDeviceResponseForDeviceRequest(
          {
            deviceRequest: deviceRequest(proofType, 'age_over_16'),
            issuerSigned: [younger.issuerSigned],
            sessionTranscript: transcript,
            signature: { signingKey: younger.deviceKey },
            deviceNamespaces: DeviceNamespaces.create({
              deviceNamespaces: new Map([
                [proofType, DeviceSignedItems.create({ deviceSignedItems: new Map([['age_over_18', true]]) })],
              ]),
            }),
          },
          mdocContext,
        );
        return answer.encode();
      },
    ],
    'about another document': [
      'wrong-document',
      async () => {
        const licence = await issueProof({ chain: [signer], type: 'org.iso.18013.5.1.mDL' });
        return answerWith(licence, transcript, deviceRequest('org.iso.18013.5.1.mDL'));
      },
    ],
    'about another document that names this one': [
      'wrong-document',
      async () => {
        const licence = await issueProof({ chain: [signer], type: 'org.iso.18013.5.1.mDL' });
        const answer = await answerWith(licence, transcript, deviceRequest('org.iso.18013.5.1.mDL'));
        return altered((_, document) => document.set('docType', proofType), answer);
      },
    ],
    'that names another document': [
      'wrong-document',
      () => altered((_, document) => document.set('docType', 'org.iso.18013.5.1.mDL')),
    ],
    'without a document': ['wrong-document', () => altered((response) => response.delete('documents'))],
    'with an empty list of documents': ['wrong-document', () => altered((response) => response.set('documents', []))],
    'with two documents': [
      'wrong-document',
      () => altered((response, document) => response.set('documents', [document, document])),
    ],
    'whose status is an error': ['wrong-document', () => altered((response) => response.set('status', 10))],
    'of another version': ['wrong-document', () => altered((response) => response.set('version', '2.0'))],
    'with errors beside the document': [
      'wrong-document',
      () => altered((response) => response.set('documentErrors', [new Map([[proofType, 0]])])),
    ],
    'with an item of another proof': [
      'not-proven',
      async () => {
        const other = cborDecode(await madeWith({})) as Node;
        const items = itemsOf((other.get('documents') as Node[])[0] as Node);
        return altered((_, document) => itemsOf(document).set(proofType, items.get(proofType)));
      },
    ],
    'with the item twice': [
      'not-of-age',
      () =>
        altered((_, document) => {
          const items = itemsOf(document).get(proofType) as unknown[];
          itemsOf(document).set(proofType, [...items, ...items]);
        }),
    ],
    'without the device’s signature': [
      'not-proven',
      () => altered((_, document) => (document.get('deviceSigned') as Node).set('deviceAuth', new Map())),
    ],
    'with a code in place of the device’s signature': [
      'not-proven',
      () =>
        altered((_, document) => {
          const signed = (document.get('deviceSigned') as Node).get('deviceAuth') as Node;
          const [, ...rest] = signed.get('deviceSignature') as unknown[];
          const header = cborEncode(new Map([[1, 5]]));
          (document.get('deviceSigned') as Node).set('deviceAuth', new Map([['deviceMac', [header, ...rest]]]));
        }),
    ],
    'that is empty': ['malformed', () => new Uint8Array()],
    'that is rubbish': ['malformed', () => new Uint8Array(1000).fill(0x81)],
    'of 64 kB': ['malformed', () => new Uint8Array(64 * 1024)],
    'with more after it': ['malformed', () => Uint8Array.from([...good, 0])],
  };
  test.each(Object.entries(forgeries))('%s', async (_name, [reason, make]) => {
    expect(await check(await make())).toEqual({ ok: false, reason });
  });

  test('of an issuer that is no longer listed', async () => {
    expect(await check(good, [])).toEqual({ ok: false, reason: 'not-proven' });
    expect(await check(good, [certificateOf(await makeCertificate())])).toEqual({ ok: false, reason: 'not-proven' });
  });
});

/** @param tries beyond each bit once */
async function acceptedAmong(tries: number): Promise<string[]> {
  const accepted: string[] = [];
  const attempt = async (name: string, answer: Uint8Array) => {
    if ((await check(answer)).ok) accepted.push(name);
  };
  for (let one = 0; one < tries; one += 1) {
    const bytes = Uint8Array.from(good);
    const bit = one % (good.length * 8);
    // First each bit by itself, then two, and pieces that are cut out, doubled or swapped.
    const [at, to, [byte = 0] = []] = [randomInt(good.length), randomInt(good.length), randomBytes(1)];
    const [from, until] = [Math.min(at, to), Math.max(at, to) + 1];
    const kind = one < good.length * 8 ? 0 : 1 + (one % 4);
    if (kind <= 1) bytes[bit >> 3] = (bytes[bit >> 3] as number) ^ (1 << (bit & 7));
    if (kind === 1) bytes[at] = (bytes[at] as number) ^ (byte || 1);
    const piece = bytes.slice(from, until);
    const made = {
      2: () => Uint8Array.from([...bytes.slice(0, from), ...bytes.slice(until)]),
      3: () => Uint8Array.from([...bytes.slice(0, until), ...piece, ...bytes.slice(until)]),
      4: () => Uint8Array.from([...bytes.slice(0, from), ...randomBytes(piece.length), ...bytes.slice(until)]),
    }[kind];
    const answer = made?.() ?? bytes;
    if (Buffer.compare(answer, good) !== 0) await attempt(`${one}: ${kind} at ${bit}, ${from}–${until}`, answer);
  }
  return accepted;
}

test('no answer with an altered bit or piece is taken', async () => expect(await acceptedAmong(1000)).toEqual([]));
test('no altered answer of 10,000 is taken', { ...slow, timeout: 120_000 }, async () =>
  expect(await acceptedAmong(10_000)).toEqual([]),
);

test('a check takes less than 15 ms', async () => {
  for (let warm = 0; warm < 30; warm += 1) await check(good);
  const started = process.cpuUsage();
  for (let one = 0; one < 50; one += 1) await check(good);
  const { user, system } = process.cpuUsage(started);
  expect((user + system) / 1000 / 50).toBeLessThan(15);
});

describe('an answer that is passed on', () => {
  test('is read from a list or a text under the name of the question, and from nothing else', () => {
    const text = base64url.encode(good);
    expect(documentIn(JSON.stringify({ age: [text] }))).toEqual(Uint8Array.from(good));
    expect(documentIn({ age: text })).toEqual(Uint8Array.from(good));
    const others = [undefined, null, '', '{', '[]', [text], text, { age: [] }, { age: [text, text] }];
    const odd = [
      { other: [text] },
      { age: [text], other: [text] },
      { age: [`${text}=`] },
      { age: ['ä'] },
      { age: [1] },
    ];
    for (const one of [...others, ...odd]) expect(documentIn(one)).toBeUndefined();
    expect(documentIn({ age: ['A'.repeat(2 * maxAnswerBytes)] })).toBeUndefined();
    // The last character has bits that are no part of a byte.
    expect(documentIn({ age: ['AB'] })).toBeUndefined();
  });

  test('by the browser is taken for this origin and request alone', async () => {
    const request = { ...(await newWalletRequest()), nonce };
    const forBrowser = await ofBrowser(origin, nonce);
    expect(
      await checkAnswer(await answerWith(proof, forBrowser), { transcript: forBrowser, trusted: trusted() }),
    ).toEqual({
      ok: true,
    });
    const refused = { ok: false, reason: 'not-proven' };
    for (const other of [
      await ofBrowser('https://other.example', nonce),
      await ofBrowser(origin, `${nonce}x`),
      transcript,
    ])
      expect(await checkAnswer(await answerWith(proof, other), { transcript: forBrowser, trusted: trusted() })).toEqual(
        refused,
      );
    expect(browserRequests(request).map(({ protocol }) => protocol)).toEqual(['openid4vp-v1-unsigned', 'org-iso-mdoc']);
  });

  test('encrypted is read with the key of this request, and bound to it', async () => {
    const request = await newWalletRequest();
    const info = ofAnnexC(origin, encryptionInfo(request));
    const sealed = async (given: Uint8Array, by = request, place = origin) => {
      const { d: _, ...publicKey } = by.privateKey;
      const suite = hpke();
      const recipientPublicKey = await suite.kem.importKey('jwk', publicKey as never, true);
      const context = ofAnnexC(place, encryptionInfo(by)).encode();
      const { enc, ct } = await suite.seal({ recipientPublicKey, info: context as never }, given as never);
      const parts = new Map([
        ['enc', new Uint8Array(enc)],
        ['cipherText', new Uint8Array(ct)],
      ]);
      return { response: base64url.encode(cborEncode(['dcapi', parts])) };
    };
    const answer = await answerWith(proof, info);
    const read = await decryptedDocument(await sealed(answer), request, origin);
    expect(read).toEqual(Uint8Array.from(answer));
    expect(await checkAnswer(answer, { transcript: info, trusted: trusted() })).toEqual({ ok: true });
    const again = ofAnnexC(origin, encryptionInfo(await newWalletRequest()));
    for (const other of [ofAnnexC('https://other.example', encryptionInfo(request)), again])
      expect(await checkAnswer(answer, { transcript: other, trusted: trusted() })).toMatchObject({ ok: false });
    const strangers = [
      await sealed(answer, await newWalletRequest()),
      await sealed(answer, request, 'https://other.example'),
      { response: base64url.encode(cborEncode(['other', new Map()])) },
      { response: base64url.encode(cborEncode(['dcapi', new Map([['enc', new Uint8Array(65)]])])) },
      { response: base64url.encode(randomBytes(300)) },
      { response: '' },
      {},
      undefined,
    ];
    for (const one of strangers) expect(await decryptedDocument(one, request, origin)).toBeUndefined();
  });

  test('belongs to a link that has no space in the type of the document', () => {
    const link = new URL(walletLink(uri, nonce));
    expect([link.protocol, Object.fromEntries(link.searchParams)]).toEqual([
      'av:',
      {
        response_type: 'vp_token',
        response_mode: 'direct_post',
        client_id: `redirect_uri:${uri}`,
        response_uri: uri,
        dcql_query:
          '{"credentials":[{"id":"age","format":"mso_mdoc","meta":{"doctype_value":"eu.europa.ec.av.1"},"claims":[{"path":["eu.europa.ec.av.1","age_over_18"]}]}]}',
        nonce,
      },
    ]);
  });
});
