import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { type Confirmation, ageMethods, askedAgain } from './rules.ts';

const keyLength = 32;
const secondsOf = (time: Date) => Math.floor(time.getTime() / 1000);

/**
 * Confirmations as signed text, for a cookie: `statement.FR.year.1827360000.signature`. It has nothing that tells two
 * devices apart but the day until which it counts.
 */
export function openSeal(secret: string) {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'age confirmation', keyLength));
  const sign = (text: string) => createHmac('sha256', key).update(text).digest('base64url');
  return {
    seal({ method, place, again, until }: Confirmation): string {
      const text = [method, place, again, until === undefined ? '' : secondsOf(until)].join('.');
      return `${text}.${sign(text)}`;
    },
    /** @returns undefined for what this site has not signed */
    open(sealed: string): Confirmation | undefined {
      const end = sealed.lastIndexOf('.');
      const [given, expected] = [Buffer.from(sealed.slice(end + 1)), Buffer.from(sign(sealed.slice(0, end)))];
      if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined;
      const [method, place = '', again, until] = sealed.slice(0, end).split('.');
      const [knownMethod, knownAgain] = [
        ageMethods.find((one) => one === method),
        askedAgain.find((one) => one === again),
      ];
      if (knownMethod === undefined || knownAgain === undefined) return undefined;
      return {
        method: knownMethod,
        place,
        again: knownAgain,
        until: until ? new Date(Number(until) * 1000) : undefined,
      };
    },
  };
}
