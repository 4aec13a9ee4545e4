import { type ReactNode, useState } from 'react';
import { beforeEach, expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { answerCalls } from '#test/support/components/calls.ts';
import { mountInSite } from '#test/support/components/mount.tsx';
import { slow } from '#test/support/tags.ts';
import { AddAudio } from '#web/admin/content/add-audio.tsx';
import { FilterMenu, FilterText } from '#web/workshop/lists/filter-menu.tsx';
import { FindAnythingField } from '#web/admin/find-anything-field.tsx';
import { CommentForm } from '#web/community/comment-form.tsx';
import { AccountForm } from '#web/identity/account/account-forms.tsx';
import { CueRow } from '#web/studio/transcript/cue-row.tsx';
import { TitleField } from '#web/studio/uploads/upload-part.tsx';
import { BulkBar } from '#web/workshop/lists/bulk-bar.tsx';
import { AudioField } from '#web/workshop/forms/audio-field.tsx';
import { TokenField } from '#web/workshop/forms/token-field.tsx';
import { Dialog } from '#web/ui/layers/dialog.tsx';

/** Called by each component when its key is for itself. */
const act = vi.fn<() => void>();
const nothing = () => {};
const audio = { id: 'a1', title: 'Yoru', voice: 'Ana', imageUrl: null, duration: 60, isPublished: true, series: null };

beforeEach(() => {
  act.mockReset();
  answerCalls({
    'GET /v1/api/admin/audio-choices': () => ({ items: [audio], nextCursor: null }),
    'GET /v1/api/admin/find': () => ({ items: [] }),
  });
});

function Tags({ first = [] }: { first?: string[] }) {
  const [tokens, setTokens] = useState(first.map((label) => ({ value: label, label })));
  return (
    <TokenField
      label="Tags"
      tokens={tokens}
      max={5}
      suggest={() => []}
      create={(label) => ({ value: label, label })}
      onChange={(changed) => {
        act();
        setTokens(changed);
      }}
    />
  );
}

function Renaming() {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <button type="button" onClick={() => setIsOpen(true)}>
        Open
      </button>
      <Dialog
        open={isOpen}
        title="Rename"
        onClose={() => {
          act();
          setIsOpen(false);
        }}
      >
        <input aria-label="New name" />
      </Dialog>
    </>
  );
}

const cueCommands = {
  change: () => act(),
  confirm: nothing,
  enter: nothing,
  leave: nothing,
  play: nothing,
  setToPlayhead: nothing,
  split: nothing,
  joinWithNext: nothing,
  addAfter: nothing,
  remove: nothing,
};

type Key = { key: string; ctrlKey?: boolean };
type Case = [
  name: string,
  key: Key,
  typed: string,
  component: () => ReactNode,
  field: RegExp,
  /** A choice that the key would take. */
  choice?: RegExp,
  /** A button to press first. */
  opener?: string,
];
const enter: Key = { key: 'Enter' };
const escape: Key = { key: 'Escape' };

const cases: Case[] = [
  ['a comma in the tags', { key: ',' }, 'yoru', () => <Tags />, /^Tags$/],
  ['Backspace in the empty tags', { key: 'Backspace' }, '', () => <Tags first={['rain']} />, /^Tags$/],
  [
    'Enter in a series’ search for audios',
    enter,
    'yo',
    () => (
      <AudioField
        label="Add an audio"
        placeholder=""
        opensEmpty
        search={async () => ({ ok: true, data: { items: [audio] } })}
        detailOf={() => ''}
        obstacleOf={() => undefined}
        onAdd={() => act()}
      />
    ),
    /^Add an audio$/,
    /Yoru/,
  ],
  [
    'Enter in a playlist’s search for audios',
    enter,
    'yo',
    () => <AddAudio isListed={() => false} onAdd={() => act()} />,
    /^Add an audio$/,
    /Yoru/,
  ],
  [
    'Enter in the title of an upload',
    enter,
    'Yoru',
    () => <TitleField fileName="a.wav" title="Rain" onSave={async () => void act()} />,
    /^Title of a\.wav$/,
  ],
  [
    'Enter in the time of a line',
    enter,
    '0:20',
    () => (
      <CueRow
        cue={{ start: 19.4, end: 22, text: 'It rains' }}
        number={1}
        isLast={false}
        isCurrent
        isTimed={false}
        takesFocus={false}
        fault={undefined}
        duration={60}
        peaks={undefined}
        commands={cueCommands}
      />
    ),
    /^Line 1 starts$/,
  ],
  [
    'Ctrl and Enter in a comment',
    { key: 'Enter', ctrlKey: true },
    'Yoru',
    () => (
      <CommentForm
        userId="u1"
        subjectId="a1"
        label="Your comment"
        placeholder=""
        submit="Send"
        onSubmit={async () => {
          act();
          return true;
        }}
      />
    ),
    /^Your comment$/,
  ],
  [
    'Escape in an empty answer',
    escape,
    '',
    () => (
      <CommentForm
        userId="u1"
        subjectId="c1"
        label="Your answer"
        placeholder=""
        submit="Send"
        onSubmit={async () => true}
        onCancel={act}
      />
    ),
    /^Your answer$/,
  ],
  [
    'Escape in a form of the account',
    escape,
    'Yoru',
    () => (
      <AccountForm
        label="Name"
        state={{ failure: '', isReady: true, isBusy: false, onSubmit: nothing, onChange: nothing }}
        onCancel={act}
      >
        <input aria-label="Name" />
      </AccountForm>
    ),
    /^Name$/,
  ],
  [
    'Escape in a field beside selected rows',
    escape,
    'Yoru',
    () => (
      <>
        <input aria-label="Search" />
        <BulkBar count={2} step={{ name: 'choose' }} onBack={nothing} onClear={act}>
          {null}
        </BulkBar>
      </>
    ),
    /^Search$/,
  ],
  [
    'Escape in a filter',
    escape,
    'Yoru',
    () => (
      <FilterMenu submit="Show">
        <FilterText label="Word" name="word" value={undefined} placeholder="" maxLength={50} />
      </FilterMenu>
    ),
    /^Word$/,
    undefined,
    'Filter',
  ],
  [
    'Enter in “Find anything”',
    enter,
    'yoru',
    () => <FindAnythingField pages={[{ label: 'Yoru', to: '/yoru' }]} />,
    /^Find a page/,
    /Yoru/,
  ],
  ['Escape in a dialog', escape, 'Yoru', () => <Renaming />, /^New name$/, undefined, 'Open'],
];

/** As most browsers report a key for the input method, and as Safari reports the one that ends it. */
const reports = [{ isComposing: true }, { keyCode: 229 }];

test.each(cases)(
  '%s does nothing while an input method has the key',
  slow,
  async (name, key, typed, component, field, choice, opener) => {
    const router = mountInSite(component());
    const isCombobox = choice !== undefined || name.endsWith(' tags');
    const isDone = () =>
      act.mock.calls.length > 0 ||
      router.state.location.pathname !== '/' ||
      (name === 'Escape in a filter' && document.querySelector('details')?.open === false);
    if (opener !== undefined) await page.getByText(opener, { exact: true }).click();
    const box = page.getByRole(isCombobox ? 'combobox' : 'textbox', { name: field });
    await box.click();
    if (typed !== '') await box.fill(typed);
    if (choice !== undefined) await expect.element(page.getByRole('option', { name: choice })).toBeVisible();
    const element = box.element();
    element.dispatchEvent(new CompositionEvent('compositionstart', { bubbles: true }));
    for (const report of reports)
      element.dispatchEvent(new KeyboardEvent('keydown', { ...key, bubbles: true, cancelable: true, ...report }));
    expect(isDone()).toBe(false);
    await expect.element(box).toHaveValue(typed);
    await expect.element(box).toHaveFocus();
    element.dispatchEvent(new CompositionEvent('compositionend', { bubbles: true }));
    const keys = `${key.ctrlKey ? '{Control>}' : ''}{${key.key}}${key.ctrlKey ? '{/Control}' : ''}`;
    // Dialogs leave a key alone that may still belong to the end of the composition.
    await expect.poll(async () => isDone() || (await userEvent.keyboard(keys), isDone())).toBe(true);
  },
);
