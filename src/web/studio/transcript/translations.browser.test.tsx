import { createMemoryRouter, useLoaderData } from 'react-router';
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import type { Cue } from '#domain/catalogue/rules.ts';
import { type ReceivedCall, answerCalls, refusal } from '#test/support/components/calls.ts';
import { mountRouter } from '#test/support/components/mount.tsx';
import { ToastProvider } from '#web/ui/layers/toast.tsx';
import { Translations } from './translations.tsx';

const id = '0190a1b2-0000-7000-8000-000000000001';
const names: Record<string, string> = { de: 'German', fr: 'French' };
const vtt = (text: string) => `WEBVTT\n\n00:00.000 --> 00:02.000\n${text}\n`;

/** The page with a site that keeps translations. */
function open(stored: Record<string, Cue[]>, refuses?: () => Response): ReceivedCall[] {
  const path = `/v1/api/studio/audios/${id}/translations`;
  const calls = answerCalls(
    Object.fromEntries(
      ['de', 'fr'].flatMap((language) => [
        [`GET ${path}/${language}`, () => ({ language, cues: stored[language] })],
        [
          `PUT ${path}/${language}`,
          ({ body }: ReceivedCall) => {
            if (refuses) return refuses();
            stored[language] = (body as { cues: Cue[] }).cues;
          },
        ],
        [`DELETE ${path}/${language}`, () => void delete stored[language]],
      ]),
    ),
  );
  const loader = () =>
    Object.entries(stored).map(([language, cues]) => ({ language, name: names[language] ?? '', lines: cues.length }));
  function Page() {
    return (
      <ToastProvider>
        <Translations
          audioId={id}
          duration={60}
          translations={useLoaderData<typeof loader>()}
          languages={Object.entries(names).map(([value, label]) => ({ value, label }))}
          hasTranscript
        />
      </ToastProvider>
    );
  }
  mountRouter(
    createMemoryRouter([{ id: 'root', path: '*', loader, element: <Page /> }], {
      hydrationData: { loaderData: { root: loader() } },
    }),
  );
  return calls;
}

const button = (name: string) => page.getByRole('button', { name, exact: true });
const rows = () => [...document.querySelectorAll('li b')].map((row) => row.textContent);

async function choose(label: string, name: string, content: string): Promise<void> {
  await expect.poll(() => document.querySelector(`[aria-label="${label}"]`)).not.toBeNull();
  const field = document.querySelector<HTMLInputElement>(`[aria-label="${label}"]`);
  const files = new DataTransfer();
  files.items.add(new File([content], name, { type: 'text/vtt' }));
  if (field) field.files = files.files;
  field?.dispatchEvent(new Event('change', { bubbles: true }));
}

const german: Cue[] = [{ start: 0, end: 2, text: 'Es regnet' }];

test('a language is chosen, its file imported, and that undone', async () => {
  const stored: Record<string, Cue[]> = { de: german };
  open(stored);
  await expect.element(button('Import VTT, SRT or text')).toBeDisabled();
  const field = (await page.getByRole('combobox', { name: 'Add a translation' }).findElement()) as HTMLSelectElement;
  expect([...field.options].map(({ label }) => label)).toEqual(['Please choose', 'French']);
  field.value = 'fr';
  field.dispatchEvent(new Event('change', { bubbles: true }));
  await expect.element(button('Import VTT, SRT or text')).toBeEnabled();
  await choose('Translation file', 'fr.vtt', vtt('Il pleut'));
  await expect.poll(rows).toEqual(['German', 'French']);
  expect(stored['fr']).toEqual([{ start: 0, end: 2, text: 'Il pleut' }]);
  await button('Undo').click();
  await expect.poll(rows).toEqual(['German']);
});

test('a replaced file and a removed language come back with Undo', async () => {
  const stored: Record<string, Cue[]> = { de: german };
  open(stored);
  await choose('Translation file: German', 'de.vtt', vtt('Regen'));
  await expect.poll(() => stored['de']?.[0]?.text).toBe('Regen');
  await button('Undo').click();
  await expect.poll(() => stored['de']).toEqual(german);
  await button('Remove: German').click();
  await expect.poll(rows).toEqual([]);
  await expect.element(page.getByText('Translation removed: German').first()).toBeVisible();
  await button('Undo').last().click();
  await expect.poll(rows).toEqual(['German']);
  expect(stored['de']).toEqual(german);
});

test('an unreadable file, and what the site refuses, are said and change nothing', async () => {
  const stored: Record<string, Cue[]> = { de: german };
  const calls = open(stored, () =>
    refusal(409, 'audio/mistimed-translation', 'Line 1 of the translation has wrong times.'),
  );
  await choose('Translation file: German', 'de.vtt', 'WEBVTT\n\n00:00.0 --> 00:02.000\nx');
  await expect.element(page.getByText('de.vtt cannot be read: line 3 is not two times')).toBeVisible();
  expect(calls).toEqual([]);
  await choose('Translation file: German', 'de.vtt', vtt('Regen'));
  await expect.element(page.getByText('Line 1 of the translation has wrong times.')).toBeVisible();
  expect(page.getByText('de.vtt cannot be read').query()).toBeNull();
  expect([stored['de'], button('Undo').query()]).toEqual([german, null]);
});
