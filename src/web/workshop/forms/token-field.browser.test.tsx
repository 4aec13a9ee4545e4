import { useState } from 'react';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { mount } from '#test/support/components/mount.tsx';
import { type Token, TokenField } from './token-field.tsx';

const onChange = vi.fn<(tokens: Token[]) => void>();
const words = ['rain', 'rainforest', 'river', 'sea'].map((label) => ({ value: label, label }));
const suggestWords = (text: string) => words.filter(({ label }) => label.startsWith(text.toLowerCase()));
const newToken = (label: string) => ({ value: label, label });
beforeEach(() => {
  onChange.mockReset();
});

type TagsProps = {
  max?: number;
  first?: Token[];
  suggest?: (text: string) => Token[] | Promise<Token[]>;
  create?: (text: string) => Token;
};

function Tags({ max = 3, first = [], suggest = suggestWords, create }: TagsProps) {
  const [tokens, setTokens] = useState(first);
  return (
    <>
      <TokenField
        label="Tags"
        tokens={tokens}
        max={max}
        suggest={suggest}
        create={create}
        onChange={(changed) => {
          onChange(changed);
          setTokens(changed);
        }}
      />
      <button type="button" style={{ marginTop: 320 }}>
        Elsewhere
      </button>
    </>
  );
}

const field = () => page.getByRole('combobox', { name: 'Tags' });
const options = () => [...document.querySelectorAll('[role=option]')].map((option) => option.textContent);
const tokens = () => [...document.querySelectorAll('[data-token]')].map((token) => token.textContent);
const chosen = () => {
  const id = field().element().getAttribute('aria-activedescendant');
  return id === null ? undefined : document.getElementById(id)?.textContent;
};

test('choices follow the typed text, and a press adds one', async () => {
  mount(<Tags />);
  await field().click();
  await userEvent.keyboard('ri');
  await expect.poll(options).toEqual(['river']);
  await userEvent.keyboard('{Backspace}');
  await expect.poll(options).toEqual(['rain', 'rainforest', 'river']);
  await page.getByRole('option', { name: 'rainforest' }).click();
  await expect.poll(tokens).toEqual(['rainforest']);
  await expect.element(field()).toHaveFocus();
  await expect.element(field()).toHaveValue('');
});

test.each([
  ['as most browsers report it', { isComposing: true }],
  ['as Safari reports it', { keyCode: 229 }],
])('Enter that ends the choice of an input method adds nothing, %s', async (_name, report) => {
  mount(<Tags create={newToken} />);
  await field().click();
  await field().fill('yoru');
  field()
    .element()
    .dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, ...report }));
  await expect.element(field()).toHaveValue('yoru');
  expect(tokens()).toEqual([]);
  await userEvent.keyboard('{Enter}');
  await expect.poll(tokens).toEqual(['yoru']);
});

test('arrows go round the choices, and Enter adds the chosen one', async () => {
  mount(<Tags />);
  await field().click();
  await userEvent.keyboard('r');
  await expect.poll(options).toHaveLength(3);
  await userEvent.keyboard('{ArrowDown}');
  await expect.poll(chosen).toBe('rain');
  await userEvent.keyboard('{ArrowUp}');
  await expect.poll(chosen).toBe('river');
  await userEvent.keyboard('{ArrowDown}');
  await expect.poll(chosen).toBe('rain');
  await userEvent.keyboard('{ArrowDown}{Enter}');
  await expect.poll(tokens).toEqual(['rainforest']);
});

test('the first arrow upwards chooses the last one', async () => {
  mount(<Tags />);
  await field().click();
  await userEvent.keyboard('r');
  await expect.poll(options).toHaveLength(3);
  await userEvent.keyboard('{ArrowUp}');
  await expect.poll(chosen).toBe('river');
});

test('Escape closes the list, keeps the text, and reaches no dialog around it', async () => {
  const onKeyDown = vi.fn<(key: string) => void>();
  mount(
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- stands for the dialog
    <div onKeyDown={({ key }) => onKeyDown(key)}>
      <Tags />
    </div>,
  );
  await field().click();
  await userEvent.keyboard('r');
  await expect.poll(options).toHaveLength(3);
  await userEvent.keyboard('{Escape}');
  await expect.poll(options).toEqual([]);
  await expect.element(field()).toHaveValue('r');
  expect(onKeyDown.mock.calls.flat()).not.toContain('Escape');
  await userEvent.keyboard('{Escape}');
  await expect.poll(() => onKeyDown.mock.calls.flat()).toContain('Escape');
});

test('Backspace removes the last one only from an empty field', async () => {
  mount(<Tags first={words.slice(0, 2)} />);
  await field().click();
  await userEvent.keyboard('x{Backspace}');
  await expect.element(field()).toHaveValue('');
  expect(tokens()).toEqual(['rain', 'rainforest']);
  await userEvent.keyboard('{Backspace}');
  await expect.poll(tokens).toEqual(['rain']);
});

test('one too many cannot be added: the field goes when it is full, and comes back', async () => {
  mount(<Tags max={2} first={words.slice(0, 1)} />);
  await field().click();
  await userEvent.keyboard('sea{Enter}');
  await expect.poll(tokens).toEqual(['rain', 'sea']);
  expect(field().query()).toBeNull();
  await expect.element(page.getByRole('button', { name: 'Remove sea' })).toHaveFocus();
  await page.getByRole('button', { name: 'Remove rain' }).click();
  await expect.element(field()).toHaveFocus();
  expect(tokens()).toEqual(['sea']);
});

test('a token is not added twice', async () => {
  mount(<Tags first={words.slice(0, 1)} create={newToken} />);
  await field().click();
  await userEvent.keyboard('rain{Enter}');
  await expect.element(field()).toHaveValue('');
  expect(onChange).not.toHaveBeenCalled();
});

describe('where any text may be a token', () => {
  test('Enter, a comma and leaving the field each make one', async () => {
    mount(<Tags create={newToken} />);
    await field().click();
    await userEvent.keyboard('storm{Enter}fog,snow');
    await expect.poll(tokens).toEqual(['storm', 'fog']);
    await page.getByRole('button', { name: 'Elsewhere' }).click();
    await expect.poll(tokens).toEqual(['storm', 'fog', 'snow']);
  });

  test('text that equals a choice becomes that choice', async () => {
    mount(<Tags create={newToken} />);
    await field().click();
    await userEvent.keyboard('RAIN');
    await expect.poll(options).toEqual(['rain', 'rainforest']);
    await userEvent.keyboard('{Enter}');
    await expect.poll(() => onChange.mock.calls.at(-1)?.[0]).toEqual([words[0]]);
  });
});

describe('where only choices count', () => {
  test('leaving the field drops other text', async () => {
    mount(<Tags />);
    await field().click();
    await userEvent.keyboard('storm');
    await page.getByRole('button', { name: 'Elsewhere' }).click();
    await expect.element(field()).toHaveValue('');
    expect(onChange).not.toHaveBeenCalled();
  });

  test('a late answer for an earlier text is not shown', async () => {
    const slow = Promise.withResolvers<Token[]>();
    const answers: Record<string, Token[] | Promise<Token[]>> = { r: slow.promise, ri: [newToken('river')] };
    const suggest = (text: string) => answers[text] ?? [];
    mount(<Tags suggest={suggest} />);
    await field().click();
    await userEvent.keyboard('ri');
    await expect.poll(options).toEqual(['river']);
    slow.resolve([newToken('rain')]);
    await slow.promise;
    await userEvent.keyboard('{ArrowDown}');
    await expect.poll(chosen).toBe('river');
    expect(options()).toEqual(['river']);
  });
});
