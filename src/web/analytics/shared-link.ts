import { useLocation } from 'react-router';
import type { ContentSource } from '#domain/analytics/forms.ts';

/** Pages whose shared links have their own content-source tag (spec §7). */
const tags = { audio_details: 'audio_dynamic_link', voice_profile: 'voice_dynamic_link' } as const;
const shared = /^\/(?:audio|creators)\/[^/]+$/;

/** Address to copy: for an audio or a voice with a tag for sharing, never with the user who shared it. */
export function sharedAddress(address: string): string {
  const url = new URL(address);
  if (!shared.test(url.pathname)) return address;
  url.searchParams.set('via', 'share');
  return url.href;
}

/** Whether the address is a shared link: it has the tag, or a time without another source. */
function isSharedLink(search: string): boolean {
  const query = new URLSearchParams(search);
  return (query.get('via') ?? (query.has('t') ? 'share' : undefined)) === 'share';
}

/** Source for events on this page: the shared link that led here, or the page itself. */
export function useSharedSource(source: keyof typeof tags): ContentSource {
  return isSharedLink(useLocation().search) ? tags[source] : source;
}

/** Source tag of a page opened by a shared link; undefined for all others. */
export function sharedSourceOf({ pathname, search }: { pathname: string; search: string }): ContentSource | undefined {
  if (!shared.test(pathname) || !isSharedLink(search)) return undefined;
  return pathname.startsWith('/audio/') ? tags.audio_details : tags.voice_profile;
}
