/** @module-tag slow */
import { useState } from 'react';
import { beforeEach, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { answerCalls } from '#test/support/components/calls.ts';
import { mountInSite } from '#test/support/components/mount.tsx';
import { silence } from '#test/support/components/silence.ts';
import type { Track } from '#player/track.ts';
import { usePlayerCommands, usePlayerState } from '../listening/player-provider.tsx';
import { useRecording } from './use-recording.ts';

const track: Track = {
  id: 'a1',
  slug: 'rain',
  title: 'Rain',
  imageUrl: null,
  audioFileUrl: URL.createObjectURL(silence(30)),
  numberDuration: 30,
  color: null,
  isFree: true,
  voice: { id: 'v1', name: 'Nora', slug: 'nora' },
  source: 'audio_details',
};

/** The player counts its start. */
beforeEach(() => void answerCalls({ 'GET /v1/api/audios/play/a1': () => undefined }));

function Page() {
  const [src] = useState(() => URL.createObjectURL(silence(20)));
  const { element, recording, failed } = useRecording(20);
  const { playTracks, pause } = usePlayerCommands();
  const status = usePlayerState((snapshot) => snapshot.status);
  return (
    <>
      {/* oxlint-disable-next-line jsx-a11y/media-has-caption -- silence */}
      <audio ref={element} src={src} data-testid="recording" />
      <p data-testid="state">{`${recording.isPlaying ? 'plays' : 'rests'}${failed ? ', failed' : ''}; player ${status}`}</p>
      <button type="button" onClick={() => recording.play()}>
        Play the recording
      </button>
      <button type="button" onClick={() => recording.playRange(5, 5.3)}>
        Play a line
      </button>
      <button type="button" onClick={() => playTracks([track], 0)}>
        Play an audio
      </button>
      <button type="button" onClick={pause}>
        Pause the audio
      </button>
    </>
  );
}

const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
const state = () => page.getByTestId('state');
const recorded = () => page.getByTestId('recording').element() as HTMLAudioElement;

test('the recording and the player pause each other', async () => {
  mountInSite(<Page />);
  await press('Play the recording');
  await expect.element(state()).toHaveTextContent('plays; player idle');
  await press('Play an audio');
  await expect.element(state()).toHaveTextContent('rests; player playing');
  expect(recorded().paused).toBe(true);
  await press('Play the recording');
  await expect.element(state()).toHaveTextContent('plays; player paused');
  await press('Pause the audio');
});

test('a line ends where it should, and the next press goes on from there', async () => {
  mountInSite(<Page />);
  await press('Play a line');
  await expect.element(state()).toHaveTextContent('rests');
  await expect.poll(() => recorded().currentTime).toBeGreaterThanOrEqual(5.3);
  expect(recorded().paused).toBe(true);
  expect(recorded().currentTime).toBeLessThan(6);
  await press('Play the recording');
  await expect.poll(() => recorded().currentTime).toBeGreaterThan(6.2);
});
