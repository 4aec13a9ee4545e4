import type { Arrival } from './tab-player.ts';

/** Audio and second of a share link: `/audio/bright-star?t=95`. Undefined without a valid time or on another page. */
export function arrivalOf({ pathname, search }: { pathname: string; search: string }): Arrival | undefined {
  const key = /^\/audio\/([^/]+)\/?$/.exec(pathname)?.[1];
  const time = new URLSearchParams(search).get('t');
  if (key === undefined || time === null || !/^\d{1,6}$/.test(time)) return undefined;
  const seconds = Number(time);
  return seconds > 0 ? { key, seconds } : undefined;
}

/** Address of an audio that starts at the listener’s position. @param seconds below 1, the link has no time */
export function shareAddress(slug: string, seconds: number, origin: string): string {
  const start = Math.floor(seconds);
  return `${origin}/audio/${slug}${start > 0 ? `?t=${start}` : ''}`;
}
