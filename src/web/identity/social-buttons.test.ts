import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import type { AuthFlow } from './auth-flow.ts';
import { SocialButtons } from './social-buttons.tsx';

function namesShown(siteUrl: string, configured: { google: boolean; facebook: boolean }): string[] {
  const site = { siteName: 'Sotto', siteUrl, appLinks: {}, identity: { provider: 'built-in', ...configured } } as const;
  const markup = renderToStaticMarkup(
    createElement(SocialButtons, { site, kind: 'log-in', authFlow: undefined as unknown as AuthFlow }),
  );
  return ['Google', 'Facebook', 'or with email'].filter((text) => markup.includes(text));
}

test('a provider that is not configured is shown on loopback only', () => {
  const [none, one] = [
    { google: false, facebook: false },
    { google: true, facebook: false },
  ];
  expect(namesShown('http://127.0.0.1:3000', none)).toEqual(['Google', 'Facebook', 'or with email']);
  expect(namesShown('https://sotto.example', one)).toEqual(['Google', 'or with email']);
  expect(namesShown('https://sotto.example', none)).toEqual([]);
});
