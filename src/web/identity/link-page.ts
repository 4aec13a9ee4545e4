import type { MetaDescriptor } from 'react-router';
import { pageMeta } from '../page-meta.ts';
import { useClientValue } from '../ui/use-client-value.ts';

/**
 * Metadata of a page opened by a link in a mail: its address is a secret, so it must not be indexed or sent as a
 * referrer.
 */
export function linkPageMeta(
  args: Parameters<typeof pageMeta>[0],
  page: { title: string; description: string },
): MetaDescriptor[] {
  return [...pageMeta(args, { ...page, index: 'no' }), { name: 'referrer', content: 'no-referrer' }];
}

/** Token of the link in the address. Not in the page’s data, so that the server’s response does not depend on it. */
export function linkToken(): string {
  return new URLSearchParams(window.location.search).get('token') ?? '';
}

/** Email of the account, for password managers. It is in the fragment (`#`) of the link, which browsers never send. */
export function useLinkEmail(): string {
  return useClientValue(() => new URLSearchParams(window.location.hash.slice(1)).get('email') ?? '', '');
}

/** Whether the link has a token: some mail programs truncate links. */
export function useHasToken(): boolean {
  return useClientValue(() => linkToken() !== '', true);
}

export const usedLinkText = 'This link was already used or has expired.';
