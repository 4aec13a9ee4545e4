import * as ellipsis from 'lucide-react/icons/ellipsis';
import * as heart from 'lucide-react/icons/heart';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import createLucideIcon from './lucide-icon.ts';

test.each([
  ['an icon', heart],
  ['an icon with former names', ellipsis],
])('%s is drawn like the original, without its names and namespace', (_, { default: Original, ...module }) => {
  const { __iconData: data } = module as unknown as { __iconData: Parameters<typeof createLucideIcon>[0] };
  const props = { 'aria-hidden': true, size: 18, className: 'icon icon--filled' } as const;
  const drawn = renderToStaticMarkup(createElement(createLucideIcon(data), props));
  const original = renderToStaticMarkup(createElement(Original, props))
    .replace(/ xmlns="[^"]+"/, '')
    .replace(/(?:lucide|lucide-[a-z-]+) (?=.*icon icon--filled)/g, '');
  expect(original).toContain('class="icon icon--filled"');
  expect(attributesOf(drawn)).toEqual(attributesOf(original));
});

/** Tags and attributes, in any order within a tag. */
function attributesOf(markup: string): string[][] {
  return markup.split('<').map((tag) => (tag.match(/[\w-]+="[^"]*"|^\w+/g) ?? []).toSorted());
}
