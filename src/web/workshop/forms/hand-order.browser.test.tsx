import { useEffect, useState } from 'react';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { drag, drop } from '#test/support/components/drag.ts';
import { mount } from '#test/support/components/mount.tsx';
import { HandOrder, moved } from './hand-order.tsx';

const onMove = vi.fn<(from: number, to: number) => void>();
beforeEach(() => {
  onMove.mockReset();
});

const listOf = (...titles: string[]) => titles.map((title) => ({ id: title, title }));

/** As when the page is loaded again after a change by somebody else. */
const changeList = (...titles: string[]) =>
  window.dispatchEvent(new CustomEvent('list', { detail: listOf(...titles) }));

function Order() {
  const [items, setItems] = useState(listOf('Rain', 'Fire', 'Sea', 'Wind'));
  useEffect(() => {
    const change = ({ detail }: CustomEvent<typeof items>) => setItems(detail);
    window.addEventListener('list', change as EventListener);
    return () => window.removeEventListener('list', change as EventListener);
  }, []);
  return (
    <HandOrder
      items={items}
      label="Order"
      nameOf={({ title }) => title}
      renderItem={({ title }) => <b>{title}</b>}
      onMove={(from, to) => {
        onMove(from, to);
        setItems(moved(items, from, to));
      }}
    />
  );
}

const order = () => [...document.querySelectorAll('li b')].map((title) => title.textContent);
const grip = (title: string) => page.getByRole('button', { name: `Move ${title}, ` });
const rowHeight = () => document.querySelector('li[data-id]')?.getBoundingClientRect().height ?? expect.fail();
const spoken = () => document.querySelector('[aria-live]')?.textContent;

test('the buttons move a row by one place, and end at the edges', async () => {
  mount(<Order />);
  await page.getByRole('button', { name: 'Move down: Rain' }).click();
  await expect.poll(order).toEqual(['Fire', 'Rain', 'Sea', 'Wind']);
  await page.getByRole('button', { name: 'Move up: Wind' }).click();
  await expect.poll(order).toEqual(['Fire', 'Rain', 'Wind', 'Sea']);
  await expect.element(page.getByRole('button', { name: 'Move up: Fire' })).toBeDisabled();
  await expect.element(page.getByRole('button', { name: 'Move down: Sea' })).toBeDisabled();
  expect(onMove.mock.calls).toEqual([
    [0, 1],
    [3, 2],
  ]);
});

test('on a phone they are there too', async () => {
  const { innerWidth, innerHeight } = window;
  await page.viewport(390, 844);
  onTestFinished(() => page.viewport(innerWidth, innerHeight));
  mount(<Order />);
  await page.getByRole('button', { name: 'Move down: Rain' }).click();
  await expect.poll(order).toEqual(['Fire', 'Rain', 'Sea', 'Wind']);
  expect(document.documentElement.scrollWidth).toBe(390);
});

describe('by pointer', () => {
  test('a row goes where it is dropped, downwards and upwards', async () => {
    mount(<Order />);
    await drag(await grip('Rain').findElement(), { down: 2 * rowHeight() });
    await expect.poll(order).toEqual(['Fire', 'Sea', 'Rain', 'Wind']);
    expect(spoken()).toBe('Rain, place 3 of 4. Put down.');
    await drag(await grip('Wind').findElement(), { down: -3 * rowHeight() });
    await expect.poll(order).toEqual(['Wind', 'Fire', 'Sea', 'Rain']);
    expect(onMove.mock.calls).toEqual([
      [0, 2],
      [3, 0],
    ]);
  });

  test('a line shows the place before the drop, which alone moves the row', async () => {
    mount(<Order />);
    await drag(await grip('Rain').findElement(), { down: rowHeight(), release: false });
    await expect
      .poll(() => document.querySelector('.drop-line')?.previousElementSibling?.textContent)
      .toContain('Fire');
    expect(onMove).not.toHaveBeenCalled();
    await drop();
    await expect.poll(order).toEqual(['Fire', 'Rain', 'Sea', 'Wind']);
    expect(document.querySelector('.drop-line')).toBeNull();
  });

  test('a press without a move, and a drop at its own place, move nothing', async () => {
    mount(<Order />);
    await grip('Fire').click();
    await drag(await grip('Fire').findElement(), { down: 0.3 * rowHeight() });
    await expect.poll(spoken).toBe('Fire, place 2 of 4. Put down.');
    expect(onMove).not.toHaveBeenCalled();
  });

  test('Escape puts the row back, and releasing the pointer then drops nothing', async () => {
    mount(<Order />);
    await drag(await grip('Rain').findElement(), { down: 2 * rowHeight(), release: false });
    await expect.poll(() => document.querySelector('.drop-line')).not.toBeNull();
    await userEvent.keyboard('{Escape}');
    await expect.poll(() => document.querySelector('.drop-line')).toBeNull();
    await drop();
    expect(order()).toEqual(['Rain', 'Fire', 'Sea', 'Wind']);
    expect(onMove).not.toHaveBeenCalled();
  });
});

describe('by keys', () => {
  test('a row that is picked up moves, keeps the focus, and stays where it is put down', async () => {
    mount(<Order />);
    (await grip('Rain').findElement()).focus();
    await userEvent.keyboard(' {ArrowDown}{ArrowDown}');
    await expect.poll(order).toEqual(['Fire', 'Sea', 'Rain', 'Wind']);
    expect(onMove).not.toHaveBeenCalled();
    expect(spoken()).toBe('Rain, place 3 of 4');
    await expect.element(grip('Rain')).toHaveFocus();
    await userEvent.keyboard(' ');
    await expect.poll(() => onMove.mock.calls).toEqual([[0, 2]]);
    expect(order()).toEqual(['Fire', 'Sea', 'Rain', 'Wind']);
  });

  test('Escape and leaving the row put it back', async () => {
    mount(<Order />);
    (await grip('Sea').findElement()).focus();
    await userEvent.keyboard(' {Home}');
    await expect.poll(order).toEqual(['Sea', 'Rain', 'Fire', 'Wind']);
    await userEvent.keyboard('{Escape}');
    await expect.poll(order).toEqual(['Rain', 'Fire', 'Sea', 'Wind']);
    await expect.element(grip('Sea')).toHaveFocus();
    await userEvent.keyboard(' {End}');
    await expect.poll(order).toEqual(['Rain', 'Fire', 'Wind', 'Sea']);
    await userEvent.tab();
    await expect.poll(order).toEqual(['Rain', 'Fire', 'Sea', 'Wind']);
    expect(onMove).not.toHaveBeenCalled();
  });
});

test('a row that is not in its place any more when it is let go moves no other one', async () => {
  mount(<Order />);
  await drag(await grip('Rain').findElement(), { down: rowHeight(), release: false });
  await expect.poll(() => document.querySelector('.drop-line')).not.toBeNull();
  changeList('Fire', 'Rain', 'Sea', 'Wind');
  await expect.poll(order).toEqual(['Fire', 'Rain', 'Sea', 'Wind']);
  await drop();

  (await grip('Sea').findElement()).focus();
  await userEvent.keyboard(' {ArrowDown}');
  await expect.poll(order).toEqual(['Fire', 'Rain', 'Wind', 'Sea']);
  changeList('Sea', 'Fire', 'Rain', 'Wind');
  await expect.poll(order).toEqual(['Sea', 'Fire', 'Rain', 'Wind']);
  await userEvent.keyboard(' ');
  expect(onMove).not.toHaveBeenCalled();
  await userEvent.keyboard('{Escape}');
});

test('a row that is dropped after others were added moves within the list of now', async () => {
  mount(<Order />);
  await drag(await grip('Rain').findElement(), { down: rowHeight(), release: false });
  changeList('Rain', 'Fire', 'Sea', 'Wind', 'Snow');
  await expect.poll(order).toHaveLength(5);
  await drop();
  await expect.poll(order).toEqual(['Fire', 'Rain', 'Sea', 'Wind', 'Snow']);
});

test('a row that is picked up stays so while another window has the focus, and not when the focus moves on', async () => {
  mount(<Order />);
  const row = (await grip('Fire').findElement()) as HTMLElement;
  row.focus();
  await userEvent.keyboard(' ');
  await expect.element(grip('Fire')).toHaveAttribute('aria-pressed', 'true');
  const focus = vi.spyOn(document, 'hasFocus').mockReturnValue(false);
  row.dispatchEvent(new FocusEvent('focusout', { bubbles: true }));
  focus.mockRestore();
  await userEvent.keyboard('{ArrowDown}');
  await expect.poll(order).toEqual(['Rain', 'Sea', 'Fire', 'Wind']);
  ((await grip('Rain').findElement()) as HTMLElement).focus();
  await expect.poll(order).toEqual(['Rain', 'Fire', 'Sea', 'Wind']);
  expect(onMove).not.toHaveBeenCalled();
});
