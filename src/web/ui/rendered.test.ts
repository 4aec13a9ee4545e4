import { type SyntheticEvent, createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test, vi } from 'vitest';
import { mergeProps, rendered } from './rendered.ts';

test('a button by default, whose own props give way to those that it is given', () => {
  const button = rendered(undefined, { className: 'chip', 'aria-label': 'Own' }, { className: 'mine', disabled: true });
  expect(renderToStaticMarkup(button)).toBe(
    '<button type="button" class="mine chip" aria-label="Own" disabled=""></button>',
  );
  expect(renderToStaticMarkup(rendered(undefined, {}, { type: 'submit' }))).toBe('<button type="submit"></button>');
});

test('another element keeps its own props, and is no button', () => {
  const link = createElement('a', { href: '/audios', className: 'link' });
  expect(renderToStaticMarkup(rendered(link, { className: 'btn', children: 'All' }, { id: 'all' }))).toBe(
    '<a href="/audios" class="link btn" id="all">All</a>',
  );
});

test('handlers of both are called, the later first; styles are joined; a missing one takes nothing away', () => {
  const calls: string[] = [];
  const keep = vi.fn();
  const merged = mergeProps(
    { onClick: () => calls.push('own'), onKeyDown: keep, style: { color: 'red', top: 0 }, className: 'own' },
    { onClick: () => calls.push('later'), onKeyDown: undefined, style: { top: 1 }, className: undefined },
  );
  merged.onClick?.({} as SyntheticEvent<HTMLButtonElement, MouseEvent> as never);
  expect(calls).toEqual(['later', 'own']);
  expect(merged.onKeyDown).toBe(keep);
  expect(merged.style).toEqual({ color: 'red', top: 1 });
  expect(merged.className).toBe('own');
});
