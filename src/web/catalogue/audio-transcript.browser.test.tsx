import { beforeEach, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import type { AudioItem } from '#domain/catalogue/audios.ts';
import type { Transcript } from '#domain/catalogue/editing/transcripts.ts';
import { type ReceivedCall, answerCalls, refusal } from '#test/support/components/calls.ts';
import { mountInSite } from '#test/support/components/mount.tsx';
import { downloadedSound } from '#web/listening/downloaded-sound.ts';
import { TranscriptLanguages } from '#web/listening/transcript-languages.tsx';
import { AudioTranscript } from './audio-transcript.tsx';

const audio = {
  id: '0190a1b2-0000-7000-8000-000000000001',
  slug: 'rain',
  title: 'Rain',
  imageUrl: null,
  audioFileUrl: '/media/audios/rain',
  numberDuration: 60,
  plays: 0,
  color: null,
  badge: null,
  isFree: true,
  language: 'en',
  voice: { id: 'v', name: 'Nora', slug: 'nora', imageUrl: null, linkedSeries: null },
  categories: [],
} satisfies AudioItem;

const languages = [
  { code: 'en', name: 'English' },
  { code: 'ar', name: 'العربية' },
  { code: 'de', name: 'Deutsch' },
];
const inLanguage = (language: string, text: string): Transcript => ({
  language,
  direction: language === 'ar' ? 'rtl' : 'ltr',
  cues: [{ start: 5, end: 9, text }],
  languages,
});
const texts: Record<string, string> = { en: 'It rains', ar: 'إنها تمطر', de: 'Es regnet' };
const path = `GET /v1/api/audios/${audio.id}/transcript`;
const answer = ({ query }: ReceivedCall) =>
  inLanguage(query.get('language') ?? '', texts[query.get('language') ?? ''] ?? '');

const open = (transcript = inLanguage('en', 'It rains')) =>
  mountInSite(<AudioTranscript audio={audio} transcript={transcript} isOpen languages={TranscriptLanguages} />);
const link = (name: string) => page.getByRole('link', { name, exact: true });
const lines = () => page.getByRole('list').element() as HTMLElement;

beforeEach(() => {
  delete downloadedSound.transcriptOf;
});

test('each language is offered by its own name, and its lines replace the others', async () => {
  answerCalls({ [path]: answer });
  const router = open();
  await expect.element(link('English')).toHaveAttribute('aria-current', 'true');
  expect(link('Deutsch').element().getAttribute('href')).toBe('/audio/rain?transcript=de');
  expect(link('العربية').element().getAttribute('lang')).toBe('ar');
  await link('العربية').click();
  await expect.element(page.getByText('إنها تمطر')).toBeVisible();
  expect([lines().lang, lines().dir]).toEqual(['ar', 'rtl']);
  await expect.element(link('العربية')).toHaveAttribute('aria-current', 'true');
  await expect.element(link('English')).not.toHaveAttribute('aria-current');
  // The lines alone change: no navigation, which would read the page again.
  expect(router.state.location.pathname).toBe('/');
  await link('Deutsch').click();
  await expect.element(page.getByText('Es regnet')).toBeVisible();
  expect([lines().lang, lines().dir]).toEqual(['de', 'ltr']);
});

test('the last of several presses counts', async () => {
  const answers: Record<string, () => void> = {};
  answerCalls({
    [path]: (call) =>
      new Promise((resolve) => {
        answers[call.query.get('language') ?? ''] = () => resolve(Response.json(answer(call)));
      }),
  });
  open();
  await link('العربية').click();
  await link('Deutsch').click();
  await expect.poll(() => Object.keys(answers)).toEqual(['ar', 'de']);
  answers['de']?.();
  answers['ar']?.();
  await expect.element(page.getByText('Es regnet')).toBeVisible();
  expect(page.getByText('إنها تمطر').query()).toBeNull();
});

test('a failed call says so and keeps the lines', async () => {
  answerCalls({ [path]: () => refusal(503, 'request/overloaded') });
  open();
  await link('Deutsch').click();
  await expect.element(page.getByText('The transcript could not be loaded.').first()).toBeVisible();
  await expect.element(page.getByText('It rains')).toBeVisible();
});

test('a download has its languages without the site', async () => {
  answerCalls({});
  downloadedSound.transcriptOf = (_id, language) => inLanguage(language, texts[language] ?? '');
  open();
  await link('Deutsch').click();
  await expect.element(page.getByText('Es regnet')).toBeVisible();
});

test('a transcript in one language offers none', async () => {
  open({ ...inLanguage('en', 'It rains'), languages: languages.slice(0, 1) });
  await expect.element(page.getByText('It rains')).toBeVisible();
  expect(page.getByRole('navigation').query()).toBeNull();
});
