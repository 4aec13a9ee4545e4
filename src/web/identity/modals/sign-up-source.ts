import type { SignUpSource } from '#domain/identity/rules.ts';
import type { ModalState } from './modal-state.ts';

type Place = { pathname: string; isSharedLink: boolean };

/** The page where a visitor signs up, for anonymous figures. */
export function signUpSourceOf(
  { isTroughPaidlink, prompt, subscribeName }: Pick<ModalState, 'isTroughPaidlink' | 'prompt' | 'subscribeName'>,
  { pathname, isSharedLink }: Place,
): SignUpSource {
  if (isTroughPaidlink) return 'paid-link';
  if (pathname.startsWith('/gift-card')) return 'gift-card';
  if (isSharedLink) return 'shared-link';
  if (prompt !== undefined || subscribeName !== undefined) return 'prompt';
  return pathname === '/' ? 'home' : 'page';
}
