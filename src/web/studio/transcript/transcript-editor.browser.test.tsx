/** @module-tag slow */
import { useEffect, useState } from 'react';
import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { Cue } from '#domain/catalogue/rules.ts';
import { mount } from '#test/support/components/mount.tsx';
import { TranscriptEditor } from './transcript-editor.tsx';

let lines: Cue[];

function Editor({ position = 0, isPlaying = false }: { position?: number; isPlaying?: boolean }) {
  const [cues, setCues] = useState(lines);
  const [played, setPlayed] = useState({ position, isPlaying });
  useEffect(() => {
    lines = cues;
  }, [cues]);
  const none = () => {};
  return (
    <>
      <TranscriptEditor
        cues={cues}
        onChange={setCues}
        duration={60}
        peaks={undefined}
        recording={{ ...played, play: none, playRange: none, pause: none, seek: none, setRate: none }}
      />
      <button type="button" onClick={() => setPlayed({ position: 25, isPlaying: true })}>
        Play at 25
      </button>
    </>
  );
}

function open(props?: Parameters<typeof Editor>[0]): void {
  lines = ['One', 'Two', 'Three'].map((text, index) => ({ start: index * 10, end: index * 10 + 10, text }));
  mount(<Editor {...props} />);
}

const text = (number: number) => page.getByRole('textbox', { name: `Line ${number} text` });
const button = (name: string) => page.getByRole('button', { name, exact: true });
const texts = () => lines.map((cue) => cue.text);
const current = () => document.querySelector('[aria-current]')?.getAttribute('data-cue');

async function choose(number: number, item: string): Promise<void> {
  await button(`More for line ${number}`).click();
  await page.getByRole('menuitem', { name: item }).click();
}

test('a removed line leaves the focus to the next one, and gets it back with Undo', async () => {
  open();
  await choose(2, 'Remove line');
  await expect.poll(texts).toEqual(['One', 'Three']);
  await expect.element(text(2)).toHaveFocus();
  await button('Undo').click();
  await expect.poll(texts).toEqual(['One', 'Two', 'Three']);
  await expect.element(text(2)).toHaveFocus();
  await choose(3, 'Remove line');
  await expect.poll(texts).toEqual(['One', 'Two']);
  await expect.element(text(2)).toHaveFocus();
});

test('Undo of several removed lines brings each back to its place', async () => {
  open();
  await choose(3, 'Remove line');
  await choose(1, 'Remove line');
  await expect.poll(texts).toEqual(['Two']);
  await button('Undo').click();
  await expect.poll(texts).toEqual(['One', 'Two', 'Three']);
});

test('a split, a joined and a new line have the focus', async () => {
  open({ position: 4 });
  await choose(1, 'Split here');
  await expect.poll(texts).toHaveLength(4);
  await expect.element(text(2)).toHaveFocus();
  await choose(1, 'Join with the next line');
  await expect.poll(texts).toHaveLength(3);
  await expect.element(text(1)).toHaveFocus();
  await choose(1, 'Add a line after');
  await expect.poll(texts).toHaveLength(4);
  await expect.element(text(2)).toHaveFocus();
  await userEvent.keyboard('Between');
  await expect.poll(() => texts()[1]).toBe('Between');
});

test('the line that is edited stays the current one while another is heard', async () => {
  open();
  await text(1).click();
  await expect.poll(current).toBe('1');
  const leave = () => (document.activeElement as HTMLElement).blur();
  leave();
  await expect.element(page.getByRole('navigation', { name: 'Line 1' })).toBeVisible();
  await text(1).click();
  // The recording goes on without the focus leaving the line.
  (button('Play at 25').element() as HTMLButtonElement).click();
  expect(current()).toBe('1');
  leave();
  await expect.poll(current).toBe('3');
});

test('a line is split where the caret stands, and starts where the playhead is by now', async () => {
  open();
  await text(2).click();
  (text(2).element() as HTMLInputElement).setSelectionRange(1, 1);
  await button('Split here').click();
  await expect.poll(texts).toEqual(['One', 'T', 'wo', 'Three']);
  await button('Play at 25').click();
  await choose(4, 'Start at the playhead');
  await expect.poll(() => lines[3]?.start).toBe(25);
});

/** A notice that is replaced stays for a moment, while it fades. */
async function pressUndo(): Promise<void> {
  await expect.poll(() => button('Undo').elements().length).toBe(1);
  await button('Undo').click();
}

test('lines to check: N goes to the next one, Enter confirms it, its times move the others along, with Undo', async () => {
  lines = [
    { start: 0, end: 10, text: 'One' },
    { start: 10, end: 20, text: 'Two', certainty: 'unsure' },
    { start: 20, end: 30, text: 'Three', certainty: 'check' },
  ];
  mount(<Editor />);
  await expect.element(page.getByText('2 lines to check')).toBeVisible();
  await expect.element(page.getByText('Unsure', { exact: true }).first()).toBeVisible();
  await userEvent.keyboard('n');
  await expect.element(text(2)).toHaveFocus();
  const start = page.getByRole('textbox', { name: 'Line 2 starts' });
  (start.element() as HTMLInputElement).focus();
  await userEvent.keyboard('{Alt>}{ArrowRight}{ArrowRight}{/Alt}');
  await expect.poll(() => lines.map((cue) => cue.start)).toEqual([0, 10.1, 20.1]);
  expect(lines.map((cue) => cue.end)).toEqual([10, 20.1, 30.1]);
  await pressUndo();
  await expect.poll(() => lines.map((cue) => cue.start)).toEqual([0, 10, 20]);
  await text(2).click();
  await userEvent.keyboard('{Enter}');
  await expect.poll(() => lines.map(({ certainty }) => certainty)).toEqual([undefined, undefined, 'check']);
  await expect.element(text(3)).toHaveFocus();
  await pressUndo();
  await expect.poll(() => lines[1]?.certainty).toBe('unsure');
  await button('Confirm all').click();
  await expect.poll(() => lines.some(({ certainty }) => certainty !== undefined)).toBe(false);
  await expect.element(page.getByText('all timed')).toBeVisible();
});

test('the lines to check can be shown alone, with their numbers', async () => {
  lines = Array.from({ length: 30 }, (_none, index) => ({
    start: index,
    end: index + 1,
    text: `Line ${index + 1}`,
    ...(index % 15 === 14 && { certainty: 'check' as const }),
  }));
  mount(<Editor />);
  const shown = () => [...document.querySelectorAll('[data-cue]')].map((row) => row.getAttribute('data-cue'));
  await expect.poll(shown).toHaveLength(10);
  await button('To check').click();
  await expect.poll(shown).toEqual(['15', '30']);
  await userEvent.keyboard('n');
  await expect.element(text(15)).toHaveFocus();
  await userEvent.keyboard('{Enter}');
  await expect.element(text(30)).toHaveFocus();
  await expect.poll(shown).toEqual(['30']);
  await userEvent.keyboard('{Enter}');
  await expect.poll(() => shown().length).toBeGreaterThan(9);
});

test('a time that is typed is taken by Enter, and not confirmed yet', async () => {
  lines = [{ start: 0, end: 10, text: 'One', certainty: 'check' }];
  mount(<Editor />);
  const start = page.getByRole('textbox', { name: 'Line 1 starts' });
  await start.fill('0:01');
  await userEvent.keyboard('{Enter}');
  await expect.poll(() => lines[0]).toMatchObject({ start: 1, certainty: 'check' });
  await userEvent.keyboard('{Enter}');
  await expect.poll(() => lines[0]?.certainty).toBeUndefined();
});

test('Undo of moved lines, and of confirming all, keeps what was changed since', async () => {
  lines = [
    { start: 0, end: 10, text: 'One', certainty: 'check' },
    { start: 10, end: 20, text: 'Two', certainty: 'unsure' },
    { start: 20, end: 30, text: 'Three', certainty: 'check' },
  ];
  mount(<Editor />);
  const start = (number: number) => page.getByRole('textbox', { name: `Line ${number} starts` });
  await expect.element(start(1)).toBeVisible();
  (start(1).element() as HTMLInputElement).focus();
  await userEvent.keyboard('{Alt>}{ArrowRight}{/Alt}');
  await expect.poll(() => lines.map((cue) => cue.start)).toEqual([0.05, 10.05, 20.05]);
  await text(2).fill('Two, corrected');
  (start(3).element() as HTMLInputElement).focus();
  await userEvent.keyboard('{Alt>}{ArrowRight}{ArrowRight}{/Alt}');
  await expect.poll(() => lines[2]?.start).toBe(20.15);
  await pressUndo();
  await expect.poll(() => lines.map((cue) => cue.start)).toEqual([0, 10, 20.15]);
  expect(texts()).toEqual(['One', 'Two, corrected', 'Three']);

  await button('Confirm all').click();
  await expect.poll(() => lines.some(({ certainty }) => certainty !== undefined)).toBe(false);
  await text(1).fill('One, corrected');
  (start(3).element() as HTMLInputElement).focus();
  await userEvent.keyboard('{Alt>}{ArrowLeft}{/Alt}');
  await expect.poll(() => lines[2]?.start).toBe(20.1);
  await pressUndo();
  await expect.poll(() => lines.map(({ certainty }) => certainty)).toEqual(['check', 'unsure', undefined]);
  expect(texts()).toEqual(['One, corrected', 'Two, corrected', 'Three']);
});
