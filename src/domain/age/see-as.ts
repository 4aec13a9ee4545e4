import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { isPlace } from './places.ts';
import { elsewhere } from './rules.ts';

/** An operator sees the site as a visitor from there for so long at most. */
export const seeAsMinutes = 30;

/** The choice of one operator, as signed text for a cookie of their browser: place, end, and whose it is. */
export function openSeeAs(secret: string) {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'see as a visitor', 32));
  const sign = (text: string) => createHmac('sha256', key).update(text).digest('base64url');
  return {
    /** @returns undefined for an unknown place; `elsewhere` is one */
    sealSeeAs(userId: string, place: string): string | undefined {
      if (place !== elsewhere && !isPlace(place)) return undefined;
      const text = `${place}.${Date.now() + seeAsMinutes * 60_000}.${userId}`;
      return `${text}.${sign(text)}`;
    },
    /** @returns undefined for what this site has not signed, and what is over */
    openSeeAs(sealed: string): { place: string; userId: string } | undefined {
      const end = sealed.lastIndexOf('.');
      const [given, expected] = [Buffer.from(sealed.slice(end + 1)), Buffer.from(sign(sealed.slice(0, end)))];
      if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined;
      const [place = '', until, userId = ''] = sealed.slice(0, end).split('.');
      return Number(until) > Date.now() ? { place, userId } : undefined;
    },
  };
}
