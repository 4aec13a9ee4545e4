/** @module-tag slow */
import { useEffect } from 'react';
import { beforeEach, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { type ReceivedCall, answerCalls } from '#test/support/components/calls.ts';
import { dataFor, keepToken, listener as anybody, mountInSite } from '#test/support/components/mount.tsx';
import { silence } from '#test/support/components/silence.ts';
import { useSession } from '../identity/session-provider.tsx';
import { usePlayback, usePlayerCommands, usePlayerState } from './player-provider.tsx';

type History = { currentlyListening: Record<string, number>; completed: string[] };

/** No other file's: the tab has one player, which knows the places of its listener for a minute. */
const listener = { ...anybody, id: 'u-places' };
const other = { ...anybody, id: 'u-places-too', username: 'mira' };
let user = listener;
/** Answer the calls for the history, in their order. */
let answers: ((history: History) => void)[];
let calls: ReceivedCall[];

const audio = (id: string) => ({
  id,
  slug: id,
  title: id,
  imageUrl: null,
  audioFileUrl: `/media/audios/${id}`,
  numberDuration: 60,
  color: null,
  isFree: true,
  voice: { id: 'v1', name: 'Nora', slug: 'nora' },
});

beforeEach(() => {
  user = listener;
  answers = [];
  seen = new Set();
  calls = answerCalls({
    'GET /v1/api/history/me': () =>
      new Promise((resolve) => answers.push((history) => resolve({ ...history, playingElsewhere: null }))),
    // Subscribers' first audio loads by itself.
    'GET /media/audios/sea': () => undefined,
    'GET /v1/api/audios/play/rain': () => undefined,
    'POST /v1/api/history/me/increase-counter': () => undefined,
    'POST /v1/api/history/me/value': () => undefined,
  });
});

const audioFileUrl = URL.createObjectURL(silence(30));
let undo: () => void;
/** All that was rendered. */
let seen: Set<string>;

function Page() {
  const name = useSession().user?.username;
  const { inProgress } = usePlayback('rain');
  const { addToQueue, removeFromQueue, playTracks } = usePlayerCommands();
  const status = usePlayerState((snapshot) => snapshot.status);
  const queue = usePlayerState((snapshot) => snapshot.queue);
  const state = `${name}: ${inProgress ? 'Resume' : 'Play'}`;
  useEffect(() => void seen.add(state), [state]);
  return (
    <>
      <p data-testid="state">{state}</p>
      <p data-testid="queue">{queue.list.map(({ id }) => id).join(' ')}</p>
      <p>{`Player ${status}`}</p>
      <button
        type="button"
        onClick={() => playTracks([{ ...audio('rain'), audioFileUrl, source: 'audio_details' }], 0)}
      >
        Play rain
      </button>
      <button type="button" onClick={() => addToQueue([audio('sea'), audio('wind')])}>
        Add
      </button>
      <button type="button" onClick={() => (undo = removeFromQueue('wind'))}>
        Remove
      </button>
    </>
  );
}

const open = () => mountInSite(<Page />, { user: listener, load: () => dataFor(user) });
const shown = () => page.getByTestId('state');
const queue = () => page.getByTestId('queue').element().textContent;
const press = (name: string) => page.getByRole('button', { name, exact: true }).click();

async function logInElsewhere(next: typeof listener): Promise<void> {
  user = next;
  keepToken(next.id);
  window.dispatchEvent(new StorageEvent('storage', { key: 'sotto.session' }));
  await expect.element(shown()).toHaveTextContent(`${next.username}:`);
}

test('positions that come for a former listener are not taken for the next one', async () => {
  open();
  await expect.poll(() => answers).toHaveLength(1);
  await logInElsewhere(other);
  await expect.poll(() => answers).toHaveLength(2);
  const [former, own] = answers;
  own?.({ currentlyListening: {}, completed: [] });
  former?.({ currentlyListening: { rain: 30 }, completed: [] });
  await expect.element(shown()).toHaveTextContent('mira: Play');
  await logInElsewhere(listener);
  await expect.poll(() => answers).toHaveLength(3);
  answers[2]?.({ currentlyListening: { rain: 30 }, completed: [] });
  await expect.element(shown()).toHaveTextContent('nora: Resume');
  expect(seen).not.toContain('mira: Resume');
  await logInElsewhere(other);
  await expect.element(shown()).toHaveTextContent('mira: Play');
});

test('Undo of one listener puts nothing into the queue of the next one', async () => {
  open();
  await press('Add');
  await expect.poll(queue).toContain('wind');
  await press('Remove');
  await expect.poll(queue).not.toContain('wind');
  undo();
  await expect.poll(queue).toContain('wind');
  await press('Remove');
  await expect.poll(queue).not.toContain('wind');
  await logInElsewhere(other);
  await expect.poll(queue).toBe('');
  undo();
  await press('Add');
  await expect.poll(queue).toBe('sea wind');
});

test('what one listener hears is not reported for the next one, nor goes on', async () => {
  open();
  await press('Play rain');
  await expect.element(page.getByText('Player playing')).toBeVisible();
  const heard = () => (document.querySelector('audio')?.currentTime ?? 0) > 0.5;
  await expect.poll(heard).toBe(true);
  await logInElsewhere(other);
  await expect.element(page.getByText('Player idle')).toBeVisible();
  await logInElsewhere(listener);
  expect(calls.filter(({ path }) => path.endsWith('/history/me/value'))).toEqual([]);
});
