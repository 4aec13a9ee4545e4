import { Buffer } from 'node:buffer';
import type { drizzleAdapter } from 'better-auth/adapters/drizzle';

type AdapterFactory = ReturnType<typeof drizzleAdapter>;

/** `.invalid` reaches nobody (RFC 6761 §6.4), so no account has such an address. */
const wrapping = 'wrapped.invalid';

/**
 * better-auth refuses most of the characters that are allowed before the @, and its pattern is no setting. So its
 * calls get an address in letters and digits, and its database reads it back.
 */
export function wrapEmail(email: string): string {
  return `${Buffer.from(email).toString('hex')}@${wrapping}`;
}

function unwrapEmail(email: string): string {
  const [hex, domain] = email.split('@');
  return domain === wrapping ? Buffer.from(hex ?? '', 'hex').toString() : email;
}

/** Finds accounts by wrapped addresses, too. */
export function readingWrapped(open: AdapterFactory): AdapterFactory {
  return (options) => {
    const adapter = open(options);
    return {
      ...adapter,
      findOne: (query) =>
        adapter.findOne({
          ...query,
          where: query.where.map((one) =>
            one.field === 'email' && typeof one.value === 'string' ? { ...one, value: unwrapEmail(one.value) } : one,
          ),
        }),
    };
  };
}
