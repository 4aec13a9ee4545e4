import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** A shared browser may have several accounts; the one that logged in longest ago drops out. */
const maxAccounts = 5;
const idPattern = /^[\w-]{22}$/;

/**
 * Recognizes devices that logged in to an account before, by a cookie: a device id, and a signature of id and email per
 * account. It grants no access; it only keeps this device's attempts apart from those of strangers.
 */
export type KnownDevices = {
  /** @returns the device id, when it logged in to this account before */
  find(cookie: string | undefined, email: string): string | undefined;
  /** @returns the new cookie value */
  remember(cookie: string | undefined, email: string): string;
};

/** @param secret the same in every process */
export function openKnownDevices(secret: string): KnownDevices {
  const sign = (id: string, email: string) =>
    createHmac('sha256', secret).update(`device ${id} of ${email}`).digest('base64url').slice(0, 22);

  return {
    find(cookie, email) {
      const { id, signatures } = read(cookie);
      if (id === undefined) return undefined;
      const expected = Buffer.from(sign(id, email));
      return signatures.some((signature) => timingSafeEqual(Buffer.from(signature), expected)) ? id : undefined;
    },
    remember(cookie, email) {
      const { id = randomBytes(16).toString('base64url'), signatures } = read(cookie);
      const own = sign(id, email);
      const others = signatures.filter((signature) => signature !== own);
      return [id, own, ...others].slice(0, 1 + maxAccounts).join('.');
    },
  };
}

/** A cookie without a valid signature counts as absent. */
function read(cookie: string | undefined): { id?: string; signatures: string[] } {
  const [id, ...signatures] = cookie?.split('.') ?? [];
  const isOurs =
    id !== undefined && signatures.length <= maxAccounts && [id, ...signatures].every((part) => idPattern.test(part));
  return isOurs ? { id, signatures } : { signatures: [] };
}
