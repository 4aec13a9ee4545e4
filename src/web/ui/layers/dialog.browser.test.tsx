import { useState } from 'react';
import { beforeEach, expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { drag } from '#test/support/components/drag.ts';
import { mount } from '#test/support/components/mount.tsx';
import { Dialog } from './dialog.tsx';
import type { DialogProps } from './dialog-window.tsx';

const onClose = vi.fn<(how: string) => void>();
beforeEach(() => {
  onClose.mockReset();
});

function Asking({ dismissedBy }: Pick<DialogProps, 'dismissedBy'>) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <button type="button" onClick={() => setIsOpen(true)}>
        Open
      </button>
      <Dialog
        open={isOpen}
        onClose={(how) => {
          onClose(how);
          setIsOpen(false);
        }}
        title="Rename"
        description="Everyone sees the name."
        dismissedBy={dismissedBy}
      >
        <input aria-label="Name" />
      </Dialog>
    </>
  );
}

const dialog = () => page.getByRole('dialog', { name: 'Rename' });
const opener = () => page.getByRole('button', { name: 'Open' });

test('it takes the focus, keeps it, and gives it back', async () => {
  mount(<Asking />);
  await opener().click();
  await expect.element(dialog()).toHaveAccessibleDescription('Everyone sees the name.');
  await expect.element(page.getByRole('textbox', { name: 'Name' })).toHaveFocus();
  for (let tabs = 0; tabs < 3; tabs += 1) {
    await userEvent.tab();
    await expect.poll(() => document.activeElement?.closest('[role=dialog]')).not.toBeNull();
  }
  await userEvent.keyboard('{Escape}');
  await expect.element(opener()).toHaveFocus();
  expect(dialog().query()).toBeNull();
});

test('the button, Escape and the backdrop close it, and say how', async () => {
  mount(<Asking />);
  await opener().click();
  await page.getByRole('button', { name: 'Close' }).click();
  await expect.poll(() => dialog().query()).toBeNull();
  await opener().click();
  await expect.element(dialog()).toBeVisible();
  await userEvent.keyboard('{Escape}');
  await expect.poll(() => dialog().query()).toBeNull();
  await opener().click();
  await expect.element(dialog()).toBeVisible();
  await pressBackdrop();
  await expect.poll(() => dialog().query()).toBeNull();
  expect(onClose.mock.calls.flat()).toEqual(['button', 'away', 'away']);
});

test('where text could be lost, the backdrop closes nothing', async () => {
  mount(<Asking dismissedBy="button" />);
  await opener().click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Night');
  await pressBackdrop();
  await page.getByRole('textbox', { name: 'Name' }).click();
  await expect.element(page.getByRole('textbox', { name: 'Name' })).toHaveValue('Night');
  expect(onClose).not.toHaveBeenCalled();
  await page.getByRole('button', { name: 'Close' }).click();
  await expect.poll(() => onClose.mock.calls.flat()).toEqual(['button']);
});

const pressBackdrop = () =>
  drag(document.querySelector('[data-modal-viewport]') ?? expect.fail(), { at: [0.02, 0.02] });
