import { createElement } from 'react';
import { renderToString } from 'react-dom/server';
import { createRoutesStub } from 'react-router';
import { expect, test } from 'vitest';
import type { Audio } from '#domain/catalogue/audios.ts';
import { eachAudioText } from '#domain/catalogue/rules.ts';
import { type Viewer, visitor } from '#domain/kernel/viewer.ts';
import type { QueueHead } from '#domain/library/saved-queue.ts';
import { SessionProvider } from '#web/identity/session-provider.tsx';
import { LibraryProvider } from '#web/favorites/library-provider.tsx';
import { ToastProvider } from '#web/ui/layers/toast.tsx';
import { PlayButton } from '../listening/play-button.tsx';
import { PlayerBar } from './player-bar.tsx';
import { PlayerProvider } from '../listening/player-provider.tsx';
import { QueueViewProvider } from './queue-view-state.tsx';

const bright = createAudio('bright', 'Bright Star', true);
const locked = createAudio('locked', 'To Sleep', false);
const subscriber: Viewer = { kind: 'user', id: 'u', isSubscribed: true, isComplete: true };

function createAudio(id: string, title: string, isFree: boolean): Audio {
  return {
    id,
    slug: `slug-${id}`,
    title,
    description: '',
    imageUrl: null,
    audioFileUrl: `/media/audios/${id}`,
    numberDuration: 128,
    plays: 0,
    color: null,
    ...eachAudioText(() => null),
    commentsDisabled: false,
    isFree,
    language: 'en',
    syntheticVoice: 'none',
    voice: { id: 'v', name: 'Maren Holt', slug: 'maren-holt', imageUrl: null, linkedSeries: null },
    voiceTypeLabel: 'Female voice',
    categories: [],
    categoriesResource: [],
    publishedAt: '2026-01-01T00:00:00.000Z',
    totalComments: 0,
    totalFavorite: 0,
    tags: [],
    contentNotes: [],
    credits: [],
    hasTranscript: false,
  };
}

/** Text of the server’s HTML, without the tags. */
function pageOf({
  viewer,
  preview,
  queueHead = null,
}: {
  viewer: Viewer;
  preview: Audio | null;
  queueHead?: QueueHead | null;
}): { html: string; text: string } {
  const audios = [bright, locked];
  const buttons = audios.map(({ id }, index) =>
    createElement(PlayButton, { key: id, audios, index, source: 'category', variant: 'pill' }),
  );
  const provided = {
    viewer,
    preview,
    queueHead,
    siteName: 'Sotto',
    preferences: { isDiscreet: false },
    children: createElement(QueueViewProvider, null, createElement('ol', null, buttons), createElement(PlayerBar)),
  };
  const kept = {
    user: null,
    favorites: null,
    loadPicker: () => import('../library/playlist-picker.tsx'),
    children: createElement(PlayerProvider, provided),
  };
  const session = {
    user: null,
    identity: { provider: 'built-in', social: [], isLocal: false },
    transportKey: null,
    siteName: 'Sotto',
    appLinks: {},
    loadModals: () => import('../shell/account-modals.tsx'),
    children: createElement(LibraryProvider, kept),
  } as const;
  const page = () => createElement(ToastProvider, null, createElement(SessionProvider, session));
  const Stub = createRoutesStub([{ id: 'routes/listener/home', path: '/', Component: page }]);
  const html = renderToString(createElement(Stub));
  return { html, text: html.replaceAll('<!-- -->', '').replace(/<[^>]+>/g, '|') };
}

test('the server renders the unplayed preview into the bar, its name without a link', () => {
  const { html, text } = pageOf({ viewer: visitor, preview: bright });
  expect(text).toContain('Bright Star');
  expect(text).toContain('Preview');
  expect(text).toContain('0:00');
  expect(text).toContain('2:08');
  expect(html).not.toMatch(/<a[^>]*>Bright Star/);
  expect(html.match(/<audio/g)).toHaveLength(1);
  expect(html).toMatch(/aria-label="Previous"[^>]*disabled/);
  expect(html).toMatch(/aria-label="Next"[^>]*disabled/);
});

test('a row shows its lock to listeners who may not hear the audio', () => {
  expect(pageOf({ viewer: visitor, preview: null }).text).toContain('To Sleep. Locked');
  expect(pageOf({ viewer: visitor, preview: null }).text).not.toContain('Bright Star. Locked');
  expect(pageOf({ viewer: subscriber, preview: null }).text).not.toContain('Locked');
});

test('the server renders the first audio of a listener’s own queue at its position, instead of the preview', () => {
  const queueHead = {
    audio: { ...bright, id: 'own', slug: 'own', title: 'Kubla Khan' },
    source: 'search',
    seconds: 64,
  };
  const { html, text } = pageOf({ viewer: subscriber, preview: { ...locked, isFree: true }, queueHead });
  expect(html.slice(html.indexOf('<section'))).not.toContain('To Sleep');
  expect(text).toContain('Kubla Khan');
  expect(text).toContain('1:04');
  expect(text).not.toContain('Preview');
});

test('a site without a preview has an empty bar that says so', () => {
  const { html, text } = pageOf({ viewer: visitor, preview: null });
  expect(text).toContain('Nothing is playing');
  expect(html).toMatch(/aria-label="Play"[^>]*disabled/);
});
