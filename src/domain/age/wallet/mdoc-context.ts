import { createHash, createPrivateKey, createPublicKey, randomBytes, sign, verify } from 'node:crypto';
import { certificateOf, isTrusted, nameField } from './certificates.ts';
import { CoseKey, type MdocContext } from './mdoc.ts';

/** COSE’s number of ECDSA with SHA-256. */
const es256 = -7;
const algorithmHeader = 1;

const refuse = () => {
  throw new Error('Only ES256 and SHA-256 are taken');
};

/** The library’s cryptography: ES256 on P-256 and SHA-256, nothing else. */
export const mdocContext: MdocContext = {
  crypto: {
    random: (length) => randomBytes(length),
    digest: ({ digestAlgorithm, bytes }) =>
      digestAlgorithm === 'SHA-256' ? createHash('sha256').update(bytes).digest() : refuse(),
    calculateEphemeralMacKey: refuse,
  },
  cose: {
    sign1: {
      sign({ toBeSigned, key }) {
        const privateKey = createPrivateKey({ key: key.jwk as never, format: 'jwk' });
        return sign('sha256', toBeSigned, { key: privateKey, dsaEncoding: 'ieee-p1363' });
      },
      verify({ key, sign1 }) {
        if (sign1.protectedHeaders.headers?.get(algorithmHeader) !== es256 || sign1.signature.length !== 64)
          return false;
        const { kty, crv, x, y } = key.jwk as Record<string, string>;
        if (kty !== 'EC' || crv !== 'P-256') return false;
        const publicKey = createPublicKey({ key: { kty, crv, x, y } as never, format: 'jwk' });
        return verify('sha256', sign1.toBeSigned, { key: publicKey, dsaEncoding: 'ieee-p1363' }, sign1.signature);
      },
    },
    mac0: { sign: refuse, verify: () => false },
  },
  x509: {
    getIssuerNameField: ({ certificate, field }) => nameField(certificateOf(certificate).issuer, field),
    getPublicKey({ certificate }) {
      return CoseKey.fromJwk(certificateOf(certificate).publicKey.export({ format: 'jwk' }) as never);
    },
    verifyCertificateChain({ trustedCertificates, x5chain, now = new Date() }) {
      const isGood = isTrusted(x5chain.map(certificateOf), trustedCertificates.map(certificateOf), now);
      if (!isGood) throw new Error('The issuer is not trusted');
    },
    getCertificateData({ certificate }) {
      const one = certificateOf(certificate);
      return {
        issuerName: one.issuer,
        subjectName: one.subject,
        serialNumber: one.serialNumber,
        thumbprint: one.fingerprint256,
        notBefore: one.validFromDate,
        notAfter: one.validToDate,
        pem: one.toString(),
      };
    },
  },
};
