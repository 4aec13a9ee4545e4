import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import type { SocialProvider } from '#domain/identity/social-rules.ts';
import type { AuthFlow } from '../auth-flow.ts';
import { SocialButtons } from './social-buttons.tsx';

function namesShown(isLocal: boolean, social: SocialProvider[]): string[] {
  const identity = { provider: 'built-in', social, isLocal } as const;
  const site = { siteName: 'Sotto', appLinks: {}, identity };
  const markup = renderToStaticMarkup(
    createElement(SocialButtons, { site, kind: 'log-in', authFlow: undefined as unknown as AuthFlow }),
  );
  return ['Google', 'Facebook', 'or with email'].filter((text) => markup.includes(text));
}

test('a provider that is not configured is shown on loopback only', () => {
  expect(namesShown(true, [])).toEqual(['Google', 'Facebook', 'or with email']);
  expect(namesShown(false, ['google'])).toEqual(['Google', 'or with email']);
  expect(namesShown(false, [])).toEqual([]);
});
