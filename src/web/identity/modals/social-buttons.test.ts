import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import type { AuthFlow } from '../auth-flow.ts';
import { SocialButtons } from './social-buttons.tsx';

function namesShown(isLocal: boolean, configured: { google: boolean; facebook: boolean }): string[] {
  const identity = { provider: 'built-in', ...configured, isLocal } as const;
  const site = { siteName: 'Sotto', appLinks: {}, identity };
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
  expect(namesShown(true, none)).toEqual(['Google', 'Facebook', 'or with email']);
  expect(namesShown(false, one)).toEqual(['Google', 'or with email']);
  expect(namesShown(false, none)).toEqual([]);
});
