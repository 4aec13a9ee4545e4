import { useState } from 'react';
import { expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { mount } from '#test/support/components/mount.tsx';
import { CheckBox } from './check-box.tsx';
import { Field } from './field.tsx';
import { TextArea } from './text-area.tsx';

function Form({ onBlur = () => {} }: { onBlur?: () => void }) {
  const [name, setName] = useState('');
  const [text, setText] = useState('');
  const [isAgreed, setIsAgreed] = useState(false);
  return (
    <form>
      <Field label="Name" maxLength={5} value={name} onChange={({ target }) => setName(target.value)} onBlur={onBlur} />
      <TextArea label="Comment" maxLength={1200} value={text} onChange={({ target }) => setText(target.value)} />
      <Field label="Password" type="password" hint="At least 8 characters" />
      <CheckBox
        checked={isAgreed}
        error={isAgreed ? undefined : 'Please agree'}
        onChange={({ target }) => setIsAgreed(target.checked)}
      >
        I agree
      </CheckBox>
      <button type="button">Send</button>
      <button type="button" data-skips-fields>
        Cancel
      </button>
    </form>
  );
}

const name = () => page.getByRole('textbox', { name: 'Name' });
const comment = () => page.getByRole('textbox', { name: 'Comment' });

test('the counter follows the text, and the limit holds', async () => {
  mount(<Form />);
  await expect.element(name()).toHaveAccessibleDescription('0 / 5');
  await name().click();
  await userEvent.keyboard('Marianne');
  await expect.element(name()).toHaveValue('Maria');
  await expect.element(name()).toHaveAccessibleDescription('5 / 5');
  await expect.element(comment()).toHaveAccessibleDescription('0 / 1,200');
  await comment().click();
  await userEvent.keyboard('Two{Enter}lines');
  await expect.element(comment()).toHaveAccessibleDescription('9 / 1,200');
});

test('a password is revealed and hidden again, with what was typed', async () => {
  mount(<Form />);
  const field = () => page.getByLabelText('Password', { exact: true });
  await field().fill('secret');
  await page.getByRole('button', { name: 'Show password' }).click();
  await expect.element(field()).toHaveAttribute('type', 'text');
  await expect.element(field()).toHaveValue('secret');
  await page.getByRole('button', { name: 'Hide password' }).click();
  await expect.element(field()).toHaveAttribute('type', 'password');
});

test('the whole label checks the box, and its error goes', async () => {
  mount(<Form />);
  const box = () => page.getByRole('checkbox', { name: 'I agree' });
  await expect.element(box()).toHaveAttribute('aria-invalid', 'true');
  await expect.element(box()).toHaveAccessibleDescription('Please agree');
  await page.getByText('I agree').click();
  await expect.element(box()).toBeChecked();
  await expect.element(box()).not.toHaveAttribute('aria-invalid');
  (await box().findElement()).focus();
  await userEvent.keyboard(' ');
  await expect.element(box()).not.toBeChecked();
});

test('a field is checked when it is left by Tab or by a press, but not on the way to Cancel', async () => {
  const onBlur = vi.fn<() => void>();
  mount(<Form onBlur={onBlur} />);
  await name().click();
  await userEvent.tab();
  await expect.poll(() => onBlur.mock.calls).toHaveLength(1);
  await name().click();
  await page.getByRole('button', { name: 'Send' }).click();
  await expect.poll(() => onBlur.mock.calls).toHaveLength(2);
  await name().click();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await comment().click();
  expect(onBlur).toHaveBeenCalledTimes(2);
});

test('a field whose focus a script moves out of the form is not checked', async () => {
  const onBlur = vi.fn<() => void>();
  mount(
    <>
      <Form onBlur={onBlur} />
      <button type="button">Outside</button>
    </>,
  );
  await name().click();
  // The press and its click are over.
  await new Promise((resolve) => setTimeout(resolve));
  (await page.getByRole('button', { name: 'Outside' }).findElement()).focus();
  await expect.element(page.getByRole('button', { name: 'Outside' })).toHaveFocus();
  expect(onBlur).not.toHaveBeenCalled();
});

test('a field that keeps the focus for when its window has it again is not checked', async () => {
  const onBlur = vi.fn<() => void>();
  mount(<Form onBlur={onBlur} />);
  await name().click();
  // As browsers do when another window takes the focus.
  (await name().findElement()).dispatchEvent(new FocusEvent('focusout', { bubbles: true }));
  expect(onBlur).not.toHaveBeenCalled();
  await userEvent.tab();
  await expect.poll(() => onBlur.mock.calls).toHaveLength(1);
});
