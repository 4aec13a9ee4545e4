import type { Arrival } from './tab-player.ts';

/** What a share link asks for: `/audio/bright-star?t=95`. Nothing where the time is none, or the page is another. */
export function arrivalOf({ pathname, search }: { pathname: string; search: string }): Arrival | undefined {
  const key = /^\/audio\/([^/]+)\/?$/.exec(pathname)?.[1];
  const time = new URLSearchParams(search).get('t');
  if (key === undefined || time === null || !/^\d{1,6}$/.test(time)) return undefined;
  const seconds = Number(time);
  return seconds > 0 ? { key, seconds } : undefined;
}

/** Address of an audio that starts where the listener is. @param seconds none is added for the beginning */
export function shareAddress(slug: string, seconds: number, origin: string): string {
  const start = Math.floor(seconds);
  return `${origin}/audio/${slug}${start > 0 ? `?t=${start}` : ''}`;
}
