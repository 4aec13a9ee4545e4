import { useState } from 'react';
import { beforeEach, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { type ReceivedCall, answerCalls, refusal } from '#test/support/components/calls.ts';
import { dataFor, listener, mountInSite } from '#test/support/components/mount.tsx';
import { slow } from '#test/support/tags.ts';
import { PlaylistPicker } from './playlist-picker.tsx';

const audio = { id: 'a1', title: 'Rain', imageUrl: null, voice: { name: 'Nora' } };
const lists = [
  { id: 'p1', title: 'Night', hasAudio: false, totalAudios: 3, isPublic: true, background: 1 },
  { id: 'p2', title: 'Morning', hasAudio: true, totalAudios: 2, isPublic: false, background: 2 },
];

let calls: ReceivedCall[];
let items: typeof lists;
let answer: () => unknown;
let loads: number;

beforeEach(() => {
  items = lists;
  loads = 0;
  answer = () => ({ added: 1, totalAudios: 4 });
  calls = answerCalls({
    'GET /v1/api/user/playlists': () => ({ items }),
    'POST /v1/api/users-playlists/p1/audios': () => answer(),
    'DELETE /v1/api/users-playlists/p2/audios/a1': () => answer(),
    'POST /v1/api/users-playlists': () => answer(),
  });
});

function Picking() {
  const [isOpen, setIsOpen] = useState(true);
  return <PlaylistPicker audio={audio} open={isOpen} onClose={() => setIsOpen(false)} />;
}

function open(): void {
  mountInSite(<Picking />, {
    user: listener,
    load() {
      loads += 1;
      return dataFor(listener);
    },
  });
}

const box = (name: RegExp) => page.getByRole('checkbox', { name });
/** The box itself is hidden under its drawing. */
const press = async (name: RegExp) => ((await box(name).findElement()) as HTMLInputElement).click();
const button = (name: string) => page.getByRole('button', { name, exact: true });
const changes = () => calls.filter(({ method }) => method !== 'GET');

test('those that contain the audio are ticked; a press adds or removes it, and counts', async () => {
  open();
  await expect.element(box(/^Morning/)).toBeChecked();
  await expect.element(box(/^Night/)).not.toBeChecked();
  await press(/^Night/);
  await expect.element(box(/^Night 4 audios/)).toBeChecked();
  await expect.poll(() => changes().map(({ body }) => body)).toEqual([{ audioIds: ['a1'] }]);
  await press(/^Morning/);
  await expect.element(box(/^Morning.* 1 audio$/)).not.toBeChecked();
  await expect.poll(() => changes().map(({ method }) => method)).toEqual(['POST', 'DELETE']);
});

test('a refused change is taken back with its count, and says so', async () => {
  answer = () => refusal(409, 'playlist/full', 'This playlist is full.');
  open();
  await press(/^Night/);
  await expect.element(page.getByText('This playlist is full.').first()).toBeInTheDocument();
  await expect.element(box(/^Night 3 audios/)).not.toBeChecked();
});

test('a further press waits for the answer of the one before', async () => {
  const waiting = Promise.withResolvers<unknown>();
  answer = () => waiting.promise;
  open();
  await press(/^Night/);
  await press(/^Night/);
  await expect.poll(changes).toHaveLength(1);
  await expect.element(box(/^Night/)).toBeChecked();
  waiting.resolve({ added: 1, totalAudios: 4 });
});

test('the page below is read again once the changes are answered, and not without one', slow, async () => {
  open();
  await expect.element(box(/^Night/)).toBeInTheDocument();
  loads = 0;
  const waiting = Promise.withResolvers<unknown>();
  answer = () => waiting.promise;
  await press(/^Night/);
  await button('Done').click();
  await expect.poll(() => page.getByRole('dialog').query()).toBeNull();
  expect(loads).toBe(0);
  waiting.resolve({ added: 1, totalAudios: 4 });
  await expect.poll(() => loads).toBe(1);
  open();
  await expect.element(box(/^Night/)).toBeInTheDocument();
  loads = 0;
  await button('Done').click();
  await expect.poll(() => page.getByRole('dialog').query()).toBeNull();
  expect(loads).toBe(0);
});

test(
  'a new list gets the audio and the focus; cancelling returns to the lists, or closes where there are none',
  slow,
  async () => {
    open();
    await button('New playlist…').click();
    // As on a touch screen, Firefox has no fine pointer here.
    const hasField = matchMedia('(pointer: fine)').matches;
    const target = () => page.getByRole('textbox').first().element();
    const focused = () => (hasField ? target() : target().closest('[tabindex="-1"]')) === document.activeElement;
    await expect.element(page.getByRole('textbox').first()).toBeInTheDocument();
    await expect.poll(focused).toBe(true);
    await button('Cancel').click();
    await expect.element(box(/^Night/)).toBeInTheDocument();
    await button('New playlist…').click();
    answer = () => ({ ...lists[0], title: 'Sea' });
    await page.getByRole('textbox').first().fill('Sea');
    await button('Create').click();
    await expect.element(page.getByText('Added to “Sea”').first()).toBeInTheDocument();
    expect(changes().at(-1)?.body).toMatchObject({ title: 'Sea', audioIds: ['a1'] });
    items = [];
    open();
    await button('Cancel').click();
    await expect.poll(() => page.getByRole('dialog').query()).toBeNull();
  },
);
