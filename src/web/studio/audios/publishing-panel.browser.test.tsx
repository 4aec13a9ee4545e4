import { beforeEach, describe, expect, test, vi } from 'vitest';
import { commands, page, server, userEvent } from 'vitest/browser';
import type { AudioFacts } from '#domain/studio/audios/audio-facts.ts';
import { browserTimeZone } from '#formats/zones.ts';
import { type ReceivedCall, answerCalls, refusal } from '#test/support/components/calls.ts';
import { mount } from '#test/support/components/mount.tsx';
import { PublishingPanel } from '../../workshop/forms/publishing-panel.tsx';
import { usePublishing } from './publication-calls.ts';

const draft: AudioFacts = {
  id: 'a1',
  slug: 'rain',
  title: 'Rain',
  voice: { slug: 'nora', name: 'Nora' },
  state: 'draft',
  isPreview: false,
  publishedAt: null,
  firstPublishedAt: null,
  review: null,
  usualReviewTime: undefined,
  numberDuration: 60,
  fileBytes: 1,
  plays: 0,
  comments: 0,
  unansweredComments: 0,
  playlists: 0,
  canDelete: true,
};
const scheduled: AudioFacts = { ...draft, state: 'scheduled', publishedAt: '2026-12-10T03:00:00.000Z' };
const now = Date.parse('2026-11-28T12:00:00Z');

let calls: ReceivedCall[];
let answer: () => unknown;
const onBefore = vi.fn<(choice: string) => Promise<string | undefined>>();
const onDone = vi.fn<() => Promise<void>>();
const sent = () => calls.map(({ body }) => body);

beforeEach(async () => {
  await commands.setTimeZone('UTC');
  answer = () => ({});
  calls = answerCalls({ 'PUT /v1/api/studio/audios/a1/publication': () => answer() });
  onBefore.mockReset().mockResolvedValue(undefined);
  onDone.mockReset().mockResolvedValue();
});

function Panel({ audio, obstacle }: { audio: AudioFacts; obstacle?: string | undefined }) {
  const publish = usePublishing(audio, { onBefore, onDone });
  const { state, publishedAt, firstPublishedAt } = audio;
  return <PublishingPanel {...{ state, publishedAt, firstPublishedAt, now, obstacle }} seenBy="" onPublish={publish} />;
}

function open(audio: AudioFacts, obstacle?: string): void {
  mount(<Panel audio={audio} obstacle={obstacle} />);
}

const choice = (name: string) => page.getByRole('radio', { name: new RegExp(`^${name}`) });
const button = (name: string) => page.getByRole('button', { name, exact: true });
const day = () => page.getByLabelText('Day', { exact: true });
const clock = () => page.getByLabelText('Time', { exact: true });

type Zone = { name: string; stored: [day: string, clock: string]; typed: string };
const zones: Zone[] = [
  { name: 'America/New_York', stored: ['2026-12-09', '22:00'], typed: '2026-12-25T01:15:00.000Z' },
  { name: 'Asia/Kolkata', stored: ['2026-12-10', '08:30'], typed: '2026-12-24T14:45:00.000Z' },
  { name: 'Pacific/Auckland', stored: ['2026-12-10', '16:00'], typed: '2026-12-24T07:15:00.000Z' },
];
// Chromium changes its zone while it runs; the others started in one of these.
const own = browserTimeZone();
const tried = server.browser === 'chromium' ? zones : zones.filter(({ name }) => name === own);

test('this browser is in one of the zones', () => {
  expect(tried).not.toEqual([]);
});

describe.each(tried)('in $name', ({ name, stored, typed }) => {
  test('the fields show the stored time of the zone, and a typed one is sent as its moment', async () => {
    await commands.setTimeZone(name);
    open(scheduled);
    await expect.element(day()).toHaveValue(stored[0]);
    await expect.element(clock()).toHaveValue(stored[1]);
    expect(button('Schedule').query()).toBeNull();
    await day().fill('2026-12-24');
    await clock().fill('20:15');
    await button('Schedule').click();
    await expect.poll(sent).toEqual([{ state: 'scheduled', at: typed }]);
    await expect.poll(() => onDone.mock.calls).toHaveLength(1);
  });
});

test('a draft is published by one press, after what was typed is saved', async () => {
  open(draft);
  await button('Publish now').click();
  await expect.poll(sent).toEqual([{ state: 'published' }]);
  expect(onBefore.mock.calls).toEqual([['published']]);
  await expect.element(page.getByText('Published').first()).toBeInTheDocument();
});

test('choosing publishes nothing, and Cancel goes back', async () => {
  open(draft);
  (await choice('Not published').findElement()).focus();
  await userEvent.keyboard('{ArrowUp}');
  await expect.element(choice('Schedule')).toBeChecked();
  await userEvent.keyboard('{ArrowUp}');
  await expect.element(choice('Published')).toBeChecked();
  await button('Cancel').click();
  await expect.element(choice('Not published')).toBeChecked();
  expect(calls).toEqual([]);
});

test('what cannot be saved is not published, and says why', async () => {
  onBefore.mockResolvedValue('The title is empty.');
  open(draft);
  await button('Publish now').click();
  await expect.element(page.getByRole('alert')).toHaveTextContent('The title is empty.');
  expect(calls).toEqual([]);
  expect(onDone).not.toHaveBeenCalled();
});

test('a refusal of the site is shown until another choice', async () => {
  answer = () => refusal(409, 'audio/changed-meanwhile', 'Someone else changed this audio.');
  open(draft);
  await button('Publish now').click();
  await expect.element(page.getByRole('alert')).toHaveTextContent('Someone else changed this audio.');
  expect(onDone).not.toHaveBeenCalled();
  await choice('Schedule').click();
  await expect.poll(() => page.getByRole('alert').query()).toBeNull();
});

test('an obstacle keeps it from being published, but not from being unpublished', async () => {
  open({ ...scheduled, state: 'published' }, 'Add a cover');
  await choice('Schedule').click();
  await expect.element(button('Schedule')).toBeDisabled();
  await expect.element(page.getByText('Add a cover to publish')).toBeVisible();
  await choice('Not published').click();
  await button('Unpublish').click();
  await expect.poll(sent).toEqual([{ state: 'unpublished' }]);
});

test('an emptied time is asked for, not sent', async () => {
  open(draft);
  await choice('Schedule').click();
  await day().fill('');
  await button('Schedule').click();
  await expect.element(page.getByRole('alert')).toBeVisible();
  expect(calls).toEqual([]);
});

test('Undo brings the former state back, with its time', async () => {
  open(scheduled);
  await choice('Published').click();
  await button('Publish now').click();
  await button('Undo').click();
  await expect.poll(sent).toEqual([{ state: 'published' }, { state: 'scheduled', at: scheduled.publishedAt }]);
  await expect.poll(() => onDone.mock.calls).toHaveLength(2);
});

test('a further act takes the Undo of the one before away at once: it would take back both', async () => {
  open(scheduled);
  await choice('Published').click();
  await button('Publish now').click();
  await expect.element(button('Undo')).toBeVisible();
  const second = Promise.withResolvers<unknown>();
  answer = () => second.promise;
  await choice('Not published').click();
  await button('Cancel schedule').click();
  await expect.poll(sent).toHaveLength(2);
  await expect.poll(() => button('Undo').query()).toBeNull();
  second.resolve({});
  await expect.element(button('Undo')).toBeVisible();
});
