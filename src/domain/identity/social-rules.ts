import type { Language } from '#formats/languages.ts';
import { language } from '#i18n';

/**
 * Providers of social sign-in. Settings, buttons, pages and docs follow from this list; their endpoints are in
 * `gateways/built-in-identity/social.ts`. Firebase calls each `<id>.com`.
 */
export const socialProviders = {
  google: { name: 'Google', credentials: 'client' },
  facebook: { name: 'Facebook', credentials: 'app' },
} satisfies Record<string, { name: string; credentials: 'client' | 'app' }>;

export type SocialProvider = keyof typeof socialProviders;

export const socialIds = Object.keys(socialProviders) as SocialProvider[];

/** “Google or Facebook”, in the language of the request. */
export function socialNames(code: Language = language()): string {
  return new Intl.ListFormat(code, { type: 'disjunction' }).format(socialIds.map((id) => socialProviders[id].name));
}

export function isSocialProvider(id: unknown): id is SocialProvider {
  return typeof id === 'string' && Object.hasOwn(socialProviders, id);
}
