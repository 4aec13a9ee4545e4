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
  find(kept: string | undefined, email: string): string | undefined;
  /** @returns the new cookie value */
  remember(kept: string | undefined, email: string): string;
};

/** @param secret the same in every process */
export function openKnownDevices(secret: string): KnownDevices {
  const sign = (id: string, email: string) =>
    createHmac('sha256', secret).update(`device ${id} of ${email}`).digest('base64url').slice(0, 22);

  return {
    find(kept, email) {
      const { id, signatures } = read(kept);
      if (id === undefined) return undefined;
      const wanted = Buffer.from(sign(id, email));
      return signatures.some((signature) => timingSafeEqual(Buffer.from(signature), wanted)) ? id : undefined;
    },
    remember(kept, email) {
      const { id = randomBytes(16).toString('base64url'), signatures } = read(kept);
      const own = sign(id, email);
      const others = signatures.filter((signature) => signature !== own);
      return [id, own, ...others].slice(0, 1 + maxAccounts).join('.');
    },
  };
}

/** A cookie without a valid signature counts as absent. */
function read(kept: string | undefined): { id?: string; signatures: string[] } {
  const [id, ...signatures] = kept?.split('.') ?? [];
  const isOurs =
    id !== undefined && signatures.length <= maxAccounts && [id, ...signatures].every((part) => idPattern.test(part));
  return isOurs ? { id, signatures } : { signatures: [] };
}
