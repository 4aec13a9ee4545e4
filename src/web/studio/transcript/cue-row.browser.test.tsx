import { useState } from 'react';
import { beforeEach, expect, test, vi } from 'vitest';
import { commands, page, userEvent } from 'vitest/browser';
import type { Cue, CueFault } from '#domain/catalogue/rules.ts';
import { mount } from '#test/support/components/mount.tsx';
import { CueRow } from './cue-row.tsx';

const act = vi.fn<(name: string, ...rest: unknown[]) => void>();
beforeEach(() => {
  act.mockReset();
});

type LineProps = { fault?: CueFault; number?: number; isLast?: boolean; certainty?: Cue['certainty']; peaks?: string };

function Line({ fault, number = 1, isLast = false, certainty, peaks }: LineProps) {
  const [cue, setCue] = useState<Cue>({ start: 19.4, end: 22, text: 'It rains', certainty });
  const [commands] = useState(() => ({
    change(_: Cue, changes: Partial<Cue>) {
      act('change', changes);
      setCue((before) => ({ ...before, ...changes }));
    },
    confirm: () => act('confirm'),
    enter: () => act('enter'),
    leave: () => act('leave'),
    play: () => act('play'),
    setToPlayhead: (_: Cue, edge: string) => act('playhead', edge),
    split: () => act('split'),
    joinWithNext: () => act('join'),
    addAfter: () => act('add'),
    remove: () => act('remove'),
  }));
  return (
    <ol>
      <CueRow
        cue={cue}
        number={number}
        isLast={isLast}
        isCurrent={certainty !== undefined}
        isTimed={cue.certainty !== undefined}
        takesFocus={false}
        fault={fault}
        duration={60}
        peaks={peaks}
        commands={commands}
      />
    </ol>
  );
}

const start = () => page.getByRole('textbox', { name: 'Line 1 starts' });
const text = () => page.getByRole('textbox', { name: 'Line 1 text' });
const changes = () => act.mock.calls.filter(([name]) => name === 'change').map(([, changed]) => changed);

test('a typed time counts when the field is left or with Enter, and only when it is another one', async () => {
  mount(<Line />);
  await start().fill('0:20.5');
  expect(changes()).toEqual([]);
  await userEvent.keyboard('{Enter}');
  await expect.poll(changes).toEqual([{ start: 20.5 }]);
  await start().fill('0:20.50');
  await text().click();
  await expect.element(start()).toHaveValue('0:20.50');
  expect(changes()).toHaveLength(1);
  await start().fill('0:21');
  await text().click();
  await expect.poll(changes).toEqual([{ start: 20.5 }, { start: 21 }]);
});

test('what is no time stays in the field and says so; Escape brings the former time back', async () => {
  mount(<Line />);
  await start().fill('soon');
  await userEvent.keyboard('{Enter}');
  await expect.element(page.getByRole('alert')).toHaveTextContent('“soon” is not a time. Enter a time like 0:19.40');
  await expect.element(start()).toHaveAttribute('aria-invalid', 'true');
  await userEvent.keyboard('{Escape}');
  await expect.element(start()).toHaveValue('0:19.40');
  await expect.poll(() => page.getByRole('alert').query()).toBeNull();
  expect(changes()).toEqual([]);
});

test('Alt with an arrow moves a time by a twentieth of a second', async () => {
  mount(<Line />);
  (await start().findElement()).focus();
  await userEvent.keyboard('{Alt>}{ArrowRight}{ArrowUp}{ArrowDown}{/Alt}');
  await expect.poll(changes).toEqual([{ start: 19.45 }, { start: 19.5 }, { start: 19.45 }]);
  await userEvent.keyboard('{ArrowRight}');
  await start().fill('0:00.02');
  await userEvent.keyboard('{Alt>}{ArrowLeft}{/Alt}');
  await expect.poll(() => changes().at(-1)).toEqual({ start: 0 });
});

test('the text changes with each letter, and Control with Space plays the line from any of its fields', async () => {
  mount(<Line />);
  await text().click();
  await userEvent.keyboard('{End}!');
  await expect.poll(changes).toEqual([{ text: 'It rains!' }]);
  await userEvent.keyboard('{Control>} {/Control}');
  await expect.poll(() => act.mock.calls.filter(([name]) => name === 'play')).toHaveLength(1);
  await expect.element(text()).toHaveValue('It rains!');
});

test('a fault marks the field that has it', async () => {
  mount(<Line fault="ends-before-start" />);
  await expect.element(page.getByRole('alert')).toHaveTextContent('Line 1 ends before it starts');
  await expect.element(page.getByRole('textbox', { name: 'Line 1 ends' })).toHaveAttribute('aria-invalid', 'true');
  await expect.element(start()).not.toHaveAttribute('aria-invalid');
  mount(<Line fault="overlaps" />);
  await expect.element(start()).toHaveAttribute('aria-invalid', 'true');
  mount(<Line fault="empty" />);
  await expect.element(text()).toHaveAttribute('aria-invalid', 'true');
});

test('its menu acts on the line; the last one joins with none', async () => {
  mount(<Line isLast />);
  const open = () => page.getByRole('button', { name: 'More for line 1' }).click();
  const item = (name: string) => page.getByRole('menuitem', { name });
  await open();
  await item('Start at the playhead').click();
  // Followed by another act when the focus comes back to the line.
  await expect.poll(() => act.mock.calls).toContainEqual(expect.arrayContaining(['playhead', 'start']));
  await open();
  await expect.element(item('Remove line')).toBeVisible();
  expect(item('Join with the next line').query()).toBeNull();
  await item('Remove line').click();
  await expect.poll(() => act.mock.calls.some(([name]) => name === 'remove')).toBe(true);
});

const peaks = btoa(String.fromCharCode(...Array.from({ length: 240 }, (_none, index) => (index % 7) * 30)));
const edge = (name: string) => page.getByRole('slider', { name: `${name} of line 1` });
const centre = (name: string) => {
  const { left, right, top, bottom } = edge(name).element().parentElement!.getBoundingClientRect();
  return { x: (left + right) / 2, y: (top + bottom) / 2 };
};

test('a line to check is enlarged, and both of its edges move by keys and by the pointer', async () => {
  mount(<Line certainty="unsure" peaks={peaks} />);
  await expect.element(edge('Start')).toHaveAttribute('aria-valuetext', '0:19.40');
  const press = async (name: string, keys: string) => {
    (edge(name).element() as HTMLInputElement).focus();
    await userEvent.keyboard(keys);
  };
  await press('Start', '{ArrowRight}');
  await expect.poll(changes).toEqual([{ start: 19.45 }]);
  await press('End', '{Alt>}{ArrowLeft}{/Alt}');
  await expect.poll(() => changes().at(-1)).toEqual({ end: 21.95 });
  await press('End', '{Shift>}{ArrowRight}{/Shift}');
  await expect.poll(() => changes().at(-1)).toEqual({ end: 22.45 });
  await press('End', '{Control>} {/Control}{Enter}');
  await expect.poll(() => act.mock.calls.map(([name]) => name)).toEqual(expect.arrayContaining(['play', 'confirm']));

  const from = centre('End');
  const { width } = document.querySelector('.cue-piece')!.getBoundingClientRect();
  // The piece shows two seconds more on both sides.
  const toEarlier = { x: from.x - width / 6.6, y: from.y };
  await commands.movePointer([
    { type: 'pointerMove', ...from },
    { type: 'pointerDown', button: 0 },
    { type: 'pointerMove', ...toEarlier },
    { type: 'pointerUp', button: 0 },
  ]);
  const end = () => (changes().at(-1) as Partial<Cue> | undefined)?.end;
  await expect.poll(end).toBeLessThan(21.8);
  expect(end()).toBeGreaterThan(21);
});

test('a line that is sure, and one without a waveform, is not enlarged', async () => {
  mount(<Line peaks={peaks} />);
  await expect.element(text()).toBeVisible();
  expect(document.querySelector('.cue-piece')).toBeNull();
  mount(<Line certainty="check" />);
  await expect.element(page.getByRole('button', { name: 'Confirm line 1' })).toBeVisible();
  expect(document.querySelector('.cue-piece')).toBeNull();
});
