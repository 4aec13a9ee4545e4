import { z } from 'zod';

/** An invalid setting; the message is one line for the operator. */
export class ConfigError extends Error {
  override name = 'ConfigError';
}

export const flag = z
  .enum(['true', 'false', '1', '0', 'yes', 'no'], { error: 'must be true or false' })
  .transform((value) => value === 'true' || value === '1' || value === 'yes');

export const httpUrl = z.url({
  protocol: /^https?$/,
  hostname: /./,
  error: 'must be an address such as https://sotto.example',
});

export function wholeNumber(min: number, max: number) {
  const error = `must be a whole number from ${min} to ${max}`;
  return z.coerce.number({ error }).int({ error }).min(min, { error }).max(max, { error });
}

/** Entries separated by commas. */
export function listOf(entry: RegExp, error: string) {
  return z
    .string()
    .transform((value) => value.split(',').map((one) => one.trim()))
    .refine((entries) => entries.every((one) => entry.test(one)), { error });
}

type Values<Name extends string> = Record<Name, string | undefined>;

export function areAllUnset(values: Values<string>): boolean {
  return Object.values(values).every((value) => value === undefined);
}

/** @throws ConfigError naming the missing ones */
export function requireAll<Name extends string>(service: string, values: Values<Name>): Record<Name, string> {
  const missing = Object.entries(values).flatMap(([name, value]) => (value === undefined ? [name] : []));
  if (missing.length > 0)
    throw new ConfigError(`for ${service}, ${missing.join(' and ')} ${missing.length > 1 ? 'are' : 'is'} missing`);
  return values as Record<Name, string>;
}

/** For two settings of which only one is set. */
export function incompletePair(first: string, second: string): ConfigError {
  return new ConfigError(`${first} and ${second} belong together; one of them is missing`);
}
