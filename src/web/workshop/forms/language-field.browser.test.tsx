import { useState } from 'react';
import { expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { mount } from '#test/support/components/mount.tsx';
import { LanguageField } from './language-field.tsx';

const choices = [
  { value: 'de', label: 'German' },
  { value: 'en', label: 'English' },
  { value: 'zxx', label: 'No words' },
];

function Form({ first, onChoose }: { first: string; onChoose: (language: string) => void }) {
  const [value, setValue] = useState(first);
  const choose = (language: string) => {
    onChoose(language);
    setValue(language);
  };
  return (
    <LanguageField value={value} choices={choices} error={value === 'x' ? 'Wrong' : undefined} onChoose={choose} />
  );
}

const field = () => page.getByRole('combobox', { name: 'Language' });
async function select(label: string): Promise<void> {
  const menu = (await field().findElement()) as HTMLSelectElement;
  menu.value = [...menu.options].find((option) => option.text === label)?.value ?? '';
  menu.dispatchEvent(new Event('change', { bubbles: true }));
}
const code = () => page.getByRole('textbox', { name: 'Code of the language' });

test('a language is chosen by its name, or typed as a code', async () => {
  const onChoose = vi.fn<(language: string) => void>();
  mount(<Form first="en" onChoose={onChoose} />);
  await select('No words');
  expect(onChoose.mock.calls).toEqual([['zxx']]);
  await select('Another language');
  await code().fill('x');
  await expect.element(page.getByText('Wrong')).toBeInTheDocument();
  await code().fill('gsw');
  expect(onChoose.mock.lastCall).toEqual(['gsw']);
  await select('German');
  await expect.poll(() => code().query()).toBeNull();
});

test('a rare language that was chosen elsewhere stays', async () => {
  mount(<Form first="gsw" onChoose={() => {}} />);
  await expect.element(field()).toHaveValue('gsw');
});
