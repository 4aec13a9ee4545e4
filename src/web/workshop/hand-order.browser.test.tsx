import { useState } from 'react';
import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { mount } from '#test/support/components/mount.tsx';
import { HandOrder, moved } from './hand-order.tsx';

function Order() {
  const [items, setItems] = useState(['Rain', 'Fire', 'Sea', 'Wind'].map((title) => ({ id: title, title })));
  return (
    <HandOrder
      items={items}
      label="Order"
      cover={() => null}
      text={({ title }) => <b>{title}</b>}
      onMove={(from, to) => setItems(moved(items, from, to))}
    />
  );
}

const order = () => [...document.querySelectorAll('li b')].map((title) => title.textContent);

test('a row is moved by its buttons', async () => {
  mount(<Order />);
  await page.getByRole('button', { name: 'Move down: Rain' }).click();
  await expect.poll(order).toEqual(['Fire', 'Rain', 'Sea', 'Wind']);
});

test('a row is moved by keys', async () => {
  mount(<Order />);
  await page.getByRole('button', { name: 'Move Rain, 1 of 4' }).click();
  await userEvent.keyboard(' {ArrowDown}{ArrowDown} ');
  await expect.poll(order).toEqual(['Fire', 'Sea', 'Rain', 'Wind']);
});
