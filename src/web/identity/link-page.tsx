import { t } from '@lingui/core/macro';
import { type ReactNode, useEffect, useRef } from 'react';
import type { MetaDescriptor } from 'react-router';
import { pageMeta } from '../page-meta.ts';
import { Note } from '../ui/note.tsx';
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

export const usedLinkText = () => t`This link was already used or has expired.`;

type LinkOutcomeProps = {
  title: string;
  tone: 'success' | 'error';
  text: string;
  /** Between the text and the button. */
  more?: ReactNode;
  /** The button. */
  children: ReactNode;
};

/** Replaces the page once the link was used; its heading gets the focus, because the pressed button is gone. */
export function LinkOutcome({ title, tone, text, more, children }: LinkOutcomeProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (document.activeElement === document.body) heading.current?.focus();
  }, []);
  return (
    <>
      <h1 ref={heading} className="text-44" tabIndex={-1}>
        {title}
      </h1>
      <Note tone={tone} className="mt-5">
        {text}
      </Note>
      {more}
      <div className="form">{children}</div>
    </>
  );
}
