import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import type { SoundFacts } from '#domain/studio/rules.ts';
import type { ListedUpload } from '#domain/studio/uploads/uploads.ts';
import { mount } from '#test/support/components/mount.tsx';
import { ListedRow } from './listed-upload-row.tsx';

let saved: (string | null)[];

function open(facts: Partial<SoundFacts>, more: Partial<ListedUpload> = {}, refusal?: string): void {
  saved = [];
  mount(
    <ListedRow
      upload={{
        id: 'u1',
        fileName: 'rain.wav',
        title: 'Rain',
        bytes: 4_000_000,
        choices: {},
        scriptLines: 0,
        state: 'ready',
        step: null,
        progress: 100,
        secondsLeft: null,
        facts: { durationMs: 4_000, ...facts },
        failure: null,
        failureDetail: null,
        isRetriable: false,
        audioId: 'a1',
        replaces: false,
        isPublished: false,
        isOwn: true,
        outline: null,
        createdAt: '2026-11-28T20:00:00.000Z',
        ...more,
      }}
      voiceSlug="ana"
      onRename={async () => undefined}
      onScript={async (script) => {
        saved.push(script);
        return refusal;
      }}
      onRetry={() => {}}
      onRemove={() => {}}
      onPublish={() => {}}
      onFile={() => {}}
    />,
  );
}

test('a file that ends early says by how much, and can still be published', async () => {
  open({ missingSeconds: 4 });
  await expect
    .element(page.getByRole('alert'))
    .toHaveTextContent('This file ends 4 seconds before its header says it does. Was it copied whole?');
  await expect.element(page.getByRole('button', { name: 'Publish Rain' })).toBeVisible();
  open({ missingSeconds: 0 });
  await expect
    .element(page.getByRole('alert'))
    .toHaveTextContent('This file ends in the middle of its sound. Was it copied whole?');
  open({ missingSeconds: 3723 });
  await expect.element(page.getByRole('alert')).toHaveTextContent('ends 1 hr 2 min 3 sec before');
  open({});
  await expect.element(page.getByText('Ready')).toBeVisible();
  await expect.element(page.getByRole('alert')).not.toBeInTheDocument();
});

const button = (name: string) => page.getByRole('button', { name, exact: true });

test('a file that is processed can have its script, which is replaced or removed', async () => {
  open({}, { state: 'processing', step: 'encoding', audioId: null });
  await button('Add the script of rain.wav').click();
  await page.getByRole('textbox', { name: 'Script of rain.wav' }).fill('It rains.\nIt rains on.');
  await button('Save the script').click();
  await expect.poll(() => saved).toEqual(['It rains.\nIt rains on.']);
  await expect.element(button('Add the script of rain.wav')).toBeVisible();

  open({}, { state: 'waiting', audioId: null, scriptLines: 2 }, 'The script has no lines.');
  await expect.element(page.getByText('Script with 2 lines')).toBeVisible();
  await button('Replace the script of rain.wav').click();
  await page.getByRole('textbox', { name: 'Script of rain.wav' }).fill('[laughs]');
  await button('Save the script').click();
  await expect.element(page.getByText('The script has no lines.')).toBeVisible();
  await button('Cancel').click();
  await button('Remove the script').click();
  await expect.poll(() => saved).toEqual(['[laughs]', null]);

  open({}, { state: 'processing', step: 'encoding', replaces: true });
  await expect.element(page.getByText('Processing')).toBeVisible();
  expect(button('Add the script of rain.wav').query()).toBeNull();
});
