import Pause from 'lucide-react/icons/pause';
import { useEffect, useState } from 'react';
import { beforeEach, expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { drag } from '#test/support/components/drag.ts';
import { mount } from '#test/support/components/mount.tsx';
import { MenuChoice, MenuItem, MenuSwitch } from './menu-items.tsx';
import { Menu } from './menu.tsx';

const onSelect = vi.fn<(name: string) => void>();
let showPage: (key: string) => void;
let loads: number;
let isOffline: boolean;
beforeEach(() => {
  onSelect.mockReset();
  isOffline = false;
  loads = 0;
});

const load = async () => {
  loads += 1;
  if (isOffline) throw new TypeError('The code could not be fetched');
  return undefined;
};

function Actions() {
  const [isRenaming, setIsRenaming] = useState(false);
  const [key, setKey] = useState('page');
  const [speed, setSpeed] = useState('1');
  const [isOn, setIsOn] = useState(false);
  useEffect(() => {
    showPage = setKey;
  }, []);
  const actions = (
    <Menu trigger={<button type="button">More</button>} closeKey={key} load={load}>
      <MenuItem onSelect={() => setIsRenaming(true)}>Rename</MenuItem>
      <MenuItem icon={Pause} onSelect={() => onSelect('pause')}>
        Pause
      </MenuItem>
      <MenuItem onSelect={() => onSelect('share')} disabled>
        Share
      </MenuItem>
      <MenuChoice
        label="Speed"
        value={speed}
        options={['1', '2'].map((value) => ({ value, label: `${value}×` }))}
        onChange={setSpeed}
      />
      <MenuSwitch checked={isOn} onChange={setIsOn}>
        Keep playing
      </MenuSwitch>
    </Menu>
  );
  return (
    <>
      {actions}
      <output>{key}</output>
      {isRenaming && <input aria-label="Name" ref={(field) => field?.focus()} />}
    </>
  );
}

const trigger = () => page.getByRole('button', { name: 'More' });
const menu = () => page.getByRole('menu', { name: 'More' });
const item = (name: string) => page.getByRole('menuitem', { name });

test('an item is chosen by pointer, and the menu closes with the focus on its button', async () => {
  mount(<Actions />);
  await trigger().click();
  await item('Pause').click();
  await expect.poll(() => menu().query()).toBeNull();
  expect(onSelect.mock.calls).toEqual([['pause']]);
  await expect.element(trigger()).toHaveFocus();
});

test('keys open it on the first item and choose', async () => {
  mount(<Actions />);
  (await trigger().findElement()).focus();
  await userEvent.keyboard('{ArrowDown}');
  await expect.element(item('Rename')).toHaveFocus();
  await userEvent.keyboard('{ArrowDown}{Enter}');
  await expect.poll(() => onSelect.mock.calls).toEqual([['pause']]);
  await expect.element(trigger()).toHaveFocus();
  await userEvent.keyboard('{Enter}');
  await expect.element(item('Rename')).toHaveFocus();
});

test('an item that moves the focus elsewhere leaves it there', async () => {
  mount(<Actions />);
  await trigger().click();
  await item('Rename').click();
  await expect.poll(() => menu().query()).toBeNull();
  await expect.element(page.getByRole('textbox', { name: 'Name' })).toHaveFocus();
});

test('Escape, Tab, a press elsewhere and another page each close it', async () => {
  mount(<Actions />);
  const ways = {
    escape: () => userEvent.keyboard('{Escape}'),
    tab: () => userEvent.tab(),
    elsewhere: () => drag(document.documentElement, { at: [0.98, 0.98] }),
    page: async () => showPage('next'),
  };
  for (const [way, close] of Object.entries(ways)) {
    await trigger().click();
    await expect.element(menu(), { message: way }).toBeVisible();
    await close();
    await expect.poll(() => menu().query(), { message: way }).toBeNull();
  }
  showPage('page');
  await expect.element(page.getByText('page', { exact: true })).toBeVisible();
  await expect.element(trigger()).toHaveAttribute('aria-expanded', 'false');
  expect(onSelect).not.toHaveBeenCalled();
});

test('choices and switches change without closing it; a disabled item does nothing', async () => {
  mount(<Actions />);
  await trigger().click();
  await page.getByRole('menuitemradio', { name: '2×' }).click();
  await expect.element(page.getByRole('menuitemradio', { name: '2×' })).toBeChecked();
  await expect.element(page.getByRole('menuitemradio', { name: '1×' })).not.toBeChecked();
  await page.getByRole('menuitemcheckbox', { name: 'Keep playing' }).click();
  await expect.element(page.getByRole('menuitemcheckbox', { name: 'Keep playing' })).toBeChecked();
  await expect.element(item('Share')).toHaveAttribute('aria-disabled', 'true');
  ((await item('Share').findElement()) as HTMLElement).click();
  expect(onSelect).not.toHaveBeenCalled();
  await expect.element(menu()).toBeVisible();
});

test('without a connection it says so, and opens with the next press', async () => {
  isOffline = true;
  mount(<Actions />);
  // A pointer on the button only prepares it.
  await trigger().hover();
  await expect.poll(() => loads).toBe(1);
  await new Promise((resolve) => requestAnimationFrame(resolve));
  expect(page.getByText('No internet connection').query()).toBeNull();
  await trigger().click();
  await expect.element(page.getByText('No internet connection').first()).toBeInTheDocument();
  await expect.element(trigger()).toHaveAttribute('aria-expanded', 'false');
  isOffline = false;
  await trigger().click();
  await expect.element(menu()).toBeVisible();
});
