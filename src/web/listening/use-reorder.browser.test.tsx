import { useEffect, useRef, useState } from 'react';
import { beforeEach, expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { drag, drop } from '#test/support/components/drag.ts';
import { mount } from '#test/support/components/mount.tsx';
import '#web/styles/queue.css';
import { useReorder } from './use-reorder.ts';

const onMove = vi.fn<(from: number, to: number) => void>();
let replace: (titles: string[]) => void;
beforeEach(() => {
  onMove.mockReset();
});

function Queue() {
  const [items, setItems] = useState(['Rain', 'Fire', 'Sea', 'Wind']);
  useEffect(() => {
    replace = setItems;
  }, []);
  const list = useRef<HTMLOListElement>(null);
  const start = useReorder({ list, items, onMove });
  return (
    <ol ref={list} onPointerDown={start}>
      {items.map((title) => (
        <li key={title} data-id={title} style={{ height: 60 }}>
          <button type="button" className="grip" data-grip aria-label={`Reorder ${title}`} />
          <span>{title}</span>
        </li>
      ))}
    </ol>
  );
}

const grip = (title: string) => page.getByRole('button', { name: `Reorder ${title}` });
const rowHeight = () => document.querySelector('li')?.getBoundingClientRect().height ?? expect.fail();
const rows = (selector: string) => [...document.querySelectorAll(`li${selector}`)].map((row) => row.textContent);

test('a drop reports the move once, downwards and upwards', async () => {
  mount(<Queue />);
  await drag(await grip('Rain').findElement(), { down: 2 * rowHeight() });
  await expect.poll(() => onMove.mock.calls).toEqual([[0, 2]]);
  await drag(await grip('Wind').findElement(), { down: -rowHeight() });
  await expect.poll(() => onMove.mock.calls.at(-1)).toEqual([3, 2]);
  expect(rows('[data-dragging], [data-shift]')).toEqual([]);
  expect(document.querySelector('[data-sorting]')).toBeNull();
});

test('rows between the old and the new place make room during the drag', async () => {
  mount(<Queue />);
  await drag(await grip('Rain').findElement(), { down: 2 * rowHeight(), release: false });
  await expect.poll(() => rows('[data-shift=up]')).toEqual(['Fire', 'Sea']);
  expect(rows('[data-dragging]')).toEqual(['Rain']);
  expect(onMove).not.toHaveBeenCalled();
  await drop();
  await expect.poll(() => onMove.mock.calls).toEqual([[0, 2]]);
});

test('a drop at the same place moves nothing', async () => {
  mount(<Queue />);
  await drag(await grip('Fire').findElement(), { down: 0.3 * rowHeight() });
  await expect.poll(() => rows('[data-dragging]')).toEqual([]);
  expect(onMove).not.toHaveBeenCalled();
});

test('after Escape, the drop moves nothing', async () => {
  mount(<Queue />);
  await drag(await grip('Rain').findElement(), { down: 2 * rowHeight(), release: false });
  await expect.poll(() => rows('[data-dragging]')).toEqual(['Rain']);
  await userEvent.keyboard('{Escape}');
  await expect.poll(() => rows('[data-dragging], [data-shift]')).toEqual([]);
  await drop();
  expect(onMove).not.toHaveBeenCalled();
});

test('a list that changes during the drag ends it: the numbers would be of other rows', async () => {
  mount(<Queue />);
  await drag(await grip('Rain').findElement(), { down: 2 * rowHeight(), release: false });
  await expect.poll(() => rows('[data-dragging]')).toEqual(['Rain']);
  replace(['Fire', 'Sea', 'Rain']);
  await expect.poll(() => rows('[data-dragging], [data-shift]')).toEqual([]);
  await drop();
  expect(onMove).not.toHaveBeenCalled();
});
