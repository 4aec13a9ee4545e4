import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import type { SoundFacts } from '#domain/studio/rules.ts';
import { mount } from '#test/support/components/mount.tsx';
import { ListedRow } from './listed-upload-row.tsx';

function open(facts: Partial<SoundFacts>): void {
  mount(
    <ListedRow
      upload={{
        id: 'u1',
        fileName: 'rain.wav',
        title: 'Rain',
        bytes: 4_000_000,
        choices: {},
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
      }}
      voiceSlug="ana"
      onRename={async () => undefined}
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
