/** @module-tag slow */
import { useEffect, useState } from 'react';
import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { Chapter } from '#domain/catalogue/chapter-rules.ts';
import type { Cue } from '#domain/catalogue/rules.ts';
import { mount } from '#test/support/components/mount.tsx';
import { ChapterEditor } from './chapter-editor.tsx';

let stored: Chapter[];
let played: (number | undefined)[];

function Editor({ first = [], ...rest }: { first?: Chapter[]; description?: string; cues?: Cue[] }) {
  const [chapters, setChapters] = useState(first);
  const [position, setPosition] = useState(0);
  useEffect(() => {
    stored = chapters;
  }, [chapters]);
  const none = () => {};
  const play = (from?: number) => void played.push(from);
  return (
    <>
      <ChapterEditor
        chapters={chapters}
        onChange={setChapters}
        duration={100}
        description=""
        cues={[]}
        recording={{ position, isPlaying: false, play, playRange: none, pause: none, seek: none, setRate: none }}
        {...rest}
      />
      {[4.7, 12, 64].map((to) => (
        <button key={to} type="button" onClick={() => setPosition(to)}>{`To ${to}`}</button>
      ))}
    </>
  );
}

function open(props: Parameters<typeof Editor>[0] = {}): void {
  stored = [];
  played = [];
  mount(<Editor {...props} />);
}

const button = (name: string) => page.getByRole('button', { name, exact: true });
const title = (number: number) => page.getByRole('textbox', { name: `Chapter ${number} title` });
const starts = () => stored.map(({ start }) => start);
const two = [
  { start: 0, title: 'At the door' },
  { start: 40, title: 'The hall' },
];

test('a chapter is set at the playhead with C, in its place, and its title has the focus', async () => {
  open();
  await expect.element(page.getByText('No chapters.')).toBeVisible();
  await button('To 64').click();
  await button('Set the first at the playhead').click();
  await expect.poll(starts).toEqual([64]);
  await expect.element(title(1)).toHaveFocus();
  await userEvent.keyboard('Your room');
  await expect.poll(() => stored[0]?.title).toBe('Your room');
  await button('To 4.7').click();
  await userEvent.keyboard('c');
  await expect
    .poll(() => stored)
    .toEqual([
      { start: 4, title: '' },
      { start: 64, title: 'Your room' },
    ]);
  await expect.element(title(1)).toHaveFocus();
  await expect.element(page.getByText('Enter a title for each chapter')).toBeVisible();
  // Eight seconds after the other one.
  await button('To 12').click();
  await userEvent.keyboard('c');
  await expect.element(page.getByRole('status').getByText('A chapter lasts 10 seconds or more')).toBeVisible();
  expect(starts()).toEqual([4, 64]);
});

test('times are typed, moved by keys and kept in order, and faults are named', async () => {
  open({ first: two });
  const time = page.getByRole('textbox', { name: 'Chapter 1 starts' });
  await time.fill('0:50');
  await userEvent.keyboard('{Enter}');
  await expect.poll(() => stored.map((chapter) => chapter.title)).toEqual(['The hall', 'At the door']);
  (page.getByRole('textbox', { name: 'Chapter 2 starts' }).element() as HTMLInputElement).focus();
  await userEvent.keyboard('{Alt>}{ArrowLeft}{/Alt}');
  await expect.poll(starts).toEqual([40, 49.95]);
  await expect.element(page.getByRole('textbox', { name: 'Chapter 2 starts' })).toHaveValue('0:49.95');
  await expect.element(page.getByRole('textbox', { name: 'Chapter 2 starts' })).toHaveAttribute('aria-invalid', 'true');
  await page.getByRole('textbox', { name: 'Chapter 2 starts' }).fill('1:35');
  await userEvent.keyboard('{Enter}');
  await expect.element(page.getByText('Begins too close to the end of the recording')).toBeVisible();
  await button('Play chapter 1').click();
  expect(played).toEqual([40]);
});

test('a removed chapter comes back with Undo', async () => {
  open({ first: two });
  await button('Remove chapter 1').click();
  await expect.poll(starts).toEqual([40]);
  await button('Undo').click();
  await expect.poll(() => stored).toEqual(two);
});

test('chapters are taken from the description, and from the pauses of the text', async () => {
  const cues = [
    { start: 1, end: 20, text: 'Come in.' },
    { start: 30.5, end: 60, text: 'Close the door.' },
  ];
  open({ description: '0:00 The door\n0:30 The hall', cues });
  await expect.element(page.getByText('Listeners see 2 chapters from the description.')).toBeVisible();
  await button('Change them here').click();
  await expect.poll(() => stored.map((chapter) => chapter.title)).toEqual(['The door', 'The hall']);
  await button('From the pauses of the text').click();
  await expect
    .poll(() => stored)
    .toEqual([
      { start: 0, title: 'Come in.' },
      { start: 30, title: 'Close the door.' },
    ]);
});
