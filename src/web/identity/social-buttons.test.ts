import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import type { AuthFlow } from './auth-flow.ts';
import { SocialButtons } from './social-buttons.tsx';

function namesShown(settings: { google: boolean; facebook: boolean; showsAll: boolean }): string[] {
  const site = { siteName: 'Sotto', appLinks: {}, identity: { provider: 'built-in', ...settings } } as const;
  const markup = renderToStaticMarkup(
    createElement(SocialButtons, { site, kind: 'log-in', authFlow: undefined as unknown as AuthFlow }),
  );
  return ['Google', 'Facebook', 'or with email'].filter((text) => markup.includes(text));
}

test('a provider that is not configured is shown only where the site says so', () => {
  const none = { google: false, facebook: false };
  expect(namesShown({ ...none, showsAll: true })).toEqual(['Google', 'Facebook', 'or with email']);
  expect(namesShown({ ...none, google: true, showsAll: false })).toEqual(['Google', 'or with email']);
  expect(namesShown({ ...none, showsAll: false })).toEqual([]);
});
