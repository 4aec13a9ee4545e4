import { useState } from 'react';
import { expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { mount } from '#test/support/components/mount.tsx';
import { SwitchItem } from '../../player/switch-item.tsx';
import { SwitchRow } from './switch-row.tsx';

function Settings({ onChange, disabled = false }: { onChange: (isOn: boolean) => void; disabled?: boolean }) {
  const [isOn, setIsOn] = useState(false);
  const change = (wanted: boolean) => {
    onChange(wanted);
    setIsOn(wanted);
  };
  return (
    <>
      <SwitchRow label="Comments" text="Below your audios" isOn={isOn} disabled={disabled} onChange={change} />
      <SwitchItem isOn={isOn} hint="At the end of the queue" onChange={change}>
        Keep playing
      </SwitchItem>
    </>
  );
}

const row = () => page.getByRole('switch', { name: 'Comments' });
const item = () => page.getByRole('switch', { name: 'Keep playing' });

test('a switch changes by a press on it or its label, and by Space and Enter', async () => {
  const onChange = vi.fn<(isOn: boolean) => void>();
  mount(<Settings onChange={onChange} />);
  await expect.element(row()).toHaveAccessibleDescription('Below your audios');
  await row().click();
  await expect.element(row()).toHaveAttribute('aria-checked', 'true');
  await page.getByText('Comments').click();
  await expect.element(row()).toHaveAttribute('aria-checked', 'false');
  (await item().findElement()).focus();
  await userEvent.keyboard(' ');
  await expect.element(item()).toHaveAttribute('aria-checked', 'true');
  await userEvent.keyboard('{Enter}');
  await expect.element(item()).toHaveAttribute('aria-checked', 'false');
  expect(onChange.mock.calls.flat()).toEqual([true, false, true, false]);
});

test('both states look different, and a disabled switch does not change', async () => {
  const onChange = vi.fn<(isOn: boolean) => void>();
  mount(<Settings onChange={onChange} disabled />);
  const look = () => getComputedStyle(document.querySelector('.switch') ?? expect.fail()).backgroundColor;
  await row().findElement();
  const off = look();
  ((await row().findElement()) as HTMLElement).click();
  expect(onChange).not.toHaveBeenCalled();
  await item().click();
  await expect.poll(look).not.toBe(off);
});
