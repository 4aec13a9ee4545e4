import { createElement } from 'react';
import { renderToString } from 'react-dom/server';
import { createRoutesStub } from 'react-router';
import { expect, test } from 'vitest';
import { RatingLabel } from './rating-label.tsx';

/** @param root its data; undefined: its loader failed */
function labelOf(root: object | undefined): string {
  const Page = createRoutesStub([{ id: 'root', path: '/', Component: RatingLabel }]);
  return renderToString(
    createElement(Page, { initialEntries: ['/'], ...(root && { hydrationData: { loaderData: { root } } }) }),
  );
}

test('a page is labelled for filters unless the operator wants no label', () => {
  const label = '<meta name="rating" content="RTA-5042-1996-1400-1577-RTA"/>';
  expect(labelOf({ theme: 'dark' })).toBe(label);
  expect(labelOf({ theme: 'dark', isUnlabelled: true })).toBe('');
  expect(labelOf(undefined)).toBe('');
});
