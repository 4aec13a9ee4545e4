import { useSyncExternalStore } from 'react';
import type { MetaDescriptor } from 'react-router';
import { pageMeta } from '../page-meta.ts';

/** What a page says of itself that is opened by a link in a mail: its address is a secret, for nobody to keep or to pass on. */
export function linkPageMeta(
  args: Parameters<typeof pageMeta>[0],
  page: { title: string; description: string },
): MetaDescriptor[] {
  return [...pageMeta(args, { ...page, index: 'no' }), { name: 'referrer', content: 'no-referrer' }];
}

/** Of the link, once it was followed. Not from the page's data: what the server makes must not depend on it. */
export function linkToken(): string {
  return new URLSearchParams(window.location.search).get('token') ?? '';
}

/** Whether the link came whole: some mail programs cut it. */
export function useHasToken(): boolean {
  return useSyncExternalStore(
    () => () => {},
    () => linkToken() !== '',
    () => true,
  );
}

export const spentLink = 'This link has been used already, or is too old.';
