import { createElement } from 'react';
import { renderToString } from 'react-dom/server';
import { createRoutesStub } from 'react-router';
import { expect, test } from 'vitest';
import type { Audio } from '#domain/catalogue/audios.ts';
import type { Viewer } from '#domain/identity/rules.ts';
import { visitor } from '#domain/identity/rules.ts';
import { SubscribePromptProvider } from '#web/shell/subscribe-prompt.tsx';
import { SignInPromptProvider } from '#web/shell/sign-in-prompt.tsx';
import { ToastProvider } from '#web/ui/toast.tsx';
import { PlayButton } from './play-button.tsx';
import { PlayerBar } from './player-bar.tsx';
import { PlayerProvider } from './player-provider.tsx';
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
    badge: null,
    commentsDisabled: false,
    isFree,
    voice: { id: 'v', name: 'Maren Holt', slug: 'maren-holt', imageUrl: null },
    voiceTypeLabel: 'Female voice',
    categories: [],
    categoriesResource: [],
    publishedAt: '2026-01-01T00:00:00.000Z',
    totalComments: 0,
    totalFavorite: 0,
    tags: [],
    hasTranscript: false,
  };
}

/** What the server sends, without the tags. */
function pageOf({ viewer, preview }: { viewer: Viewer; preview: Audio | null }): { html: string; text: string } {
  const audios = [bright, locked];
  const buttons = audios.map(({ id }, index) =>
    createElement(PlayButton, { key: id, audios, index, source: 'category', look: 'pill' }),
  );
  const provided = {
    viewer,
    preview,
    siteName: 'Sotto',
    discreet: false,
    children: createElement(QueueViewProvider, null, createElement('ol', null, buttons), createElement(PlayerBar)),
  };
  const prompts = { ask: () => undefined };
  const subscribing = { ...prompts, children: createElement(PlayerProvider, provided) };
  const prompting = { ...prompts, children: createElement(SubscribePromptProvider, subscribing) };
  const page = () => createElement(ToastProvider, null, createElement(SignInPromptProvider, prompting));
  const Stub = createRoutesStub([{ id: 'routes/home', path: '/', Component: page }]);
  const html = renderToString(createElement(Stub));
  return { html, text: html.replaceAll('<!-- -->', '').replace(/<[^>]+>/g, '|') };
}

test('the server draws the preview into the bar: its name without a link, where it is not playing yet', () => {
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

test('a row shows that it is locked before it is pressed, to those who may not hear it', () => {
  expect(pageOf({ viewer: visitor, preview: null }).text).toContain('To Sleep. Locked');
  expect(pageOf({ viewer: visitor, preview: null }).text).not.toContain('Bright Star. Locked');
  expect(pageOf({ viewer: subscriber, preview: null }).text).not.toContain('Locked');
});

test('a site without a preview has an empty bar that says so', () => {
  const { html, text } = pageOf({ viewer: visitor, preview: null });
  expect(text).toContain('Nothing is playing');
  expect(html).toMatch(/aria-label="Play"[^>]*disabled/);
});
