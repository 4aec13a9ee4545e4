import { useLocation } from 'react-router';
import type { ContentSource } from '#domain/insight/forms.ts';

/** Pages whose shared links have a content-source tag of their own (spec §7). */
const tags = { audio_details: 'audio_dynamic_link', voice_profile: 'voice_dynamic_link' } as const;
const shared = /^\/(?:audio|creators)\/[^/]+$/;

/** The address that is copied: of an audio or a voice it says that it was shared, and of nobody by whom. */
export function sharedAddress(address: string): string {
  const url = new URL(address);
  if (!shared.test(url.pathname)) return address;
  url.searchParams.set('via', 'share');
  return url.href;
}

/** Whether one came by a link that was shared: it says so, or has a time and does not say where else that is from. */
function isSharedLink(search: string): boolean {
  const query = new URLSearchParams(search);
  return (query.get('via') ?? (query.has('t') ? 'share' : undefined)) === 'share';
}

/** Where something on this page was met: by a shared link, or on the page itself. */
export function useSharedSource(source: keyof typeof tags): ContentSource {
  return isSharedLink(useLocation().search) ? tags[source] : source;
}

/** The tag of a page that a shared link led to; undefined for every other page. */
export function sharedSourceOf({ pathname, search }: { pathname: string; search: string }): ContentSource | undefined {
  if (!shared.test(pathname) || !isSharedLink(search)) return undefined;
  return pathname.startsWith('/audio/') ? tags.audio_details : tags.voice_profile;
}
