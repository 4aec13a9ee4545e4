import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

const derive = promisify(argon2);

/** `memory`: KiB. */
export type HashCost = { memory: number; passes: number; parallelism: number };

/** OWASP Password Storage Cheat Sheet: argon2id with 19 MiB, two passes, one lane. */
const recommended: HashCost = { memory: 19_456, passes: 2, parallelism: 1 };
const saltBytes = 16;
const tagBytes = 32;

/** The PHC string format: https://github.com/P-H-C/phc-string-format */
const phcPattern =
  /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,2}),p=(\d{1,2})\$([A-Za-z0-9+/]{11,86})\$([A-Za-z0-9+/]{22,86})$/;

/** @returns a PHC string, as `$argon2id$v=19$m=19456,t=2,p=1$salt$hash` */
export async function hashPassword(password: string, cost: HashCost = recommended): Promise<string> {
  const nonce = randomBytes(saltBytes);
  const tag = await derive('argon2id', { ...cost, message: messageOf(password), nonce, tagLength: tagBytes });
  const { memory, passes, parallelism } = cost;
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${unpadded(nonce)}$${unpadded(tag)}`;
}

/** Uses the parameters in the hash. A malformed hash matches no password. */
export async function verifyPassword(hash: string, password: string): Promise<boolean> {
  const parts = phcPattern.exec(hash);
  if (parts === null) return false;
  const [, memory, passes, parallelism, salt = '', tag = ''] = parts;
  const expected = Buffer.from(tag, 'base64');
  const actual = await derive('argon2id', {
    message: messageOf(password),
    nonce: Buffer.from(salt, 'base64'),
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
    tagLength: expected.length,
  });
  return timingSafeEqual(actual, expected);
}

/** Keyboards send an accented letter as one or two code points (NIST SP 800-63B §5.1.1.2). */
function messageOf(password: string): Buffer {
  return Buffer.from(password.normalize('NFKC'));
}

function unpadded(bytes: Buffer): string {
  return bytes.toString('base64').replace(/={1,2}$/, '');
}
