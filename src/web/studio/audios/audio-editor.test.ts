import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { eachAudioText } from '#domain/catalogue/rules.ts';
import type { EditedAudio } from '#domain/studio/audios/audio-values.ts';
import type { Answer } from '../../api.ts';
import { type EditorCalls, type UnsavedChanges, createAudioEditor } from './audio-editor.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const values: EditedAudio['values'] = {
  title: 'Title',
  description: '',
  language: 'en',
  syntheticVoice: 'none' as const,
  slug: 'title',
  color: null,
  ...eachAudioText(() => null),
  categories: [],
  tags: [],
  series: null,
  transcript: null,
  chapters: null,
  isFree: false,
  commenters: 'everyone',
};
const first: EditedAudio = {
  id: 'one',
  version: 1,
  values,
  cover: { imageUrl: null, source: null, area: null },
  apart: [],
  changes: [],
  savedAt: null,
};
const offline = { ok: false, code: 'network', message: 'No internet connection', status: 0 } as const;
const refusal = (code: 'audio/slug-taken' | 'audio/changed-meanwhile' | 'request/invalid', message = code as string) =>
  ({ ok: false, code, message, status: 409 }) as const;

/** A site that counts versions; entries of `next` replace its answers, once each. */
function openEditor(stored: Partial<EditedAudio> = {}) {
  const saved: object[] = [];
  const discarded: number[] = [];
  const next: Answer<never>[] = [];
  const nextLoads: Answer<never>[] = [];
  const device: { unsaved: UnsavedChanges | undefined } = { unsaved: undefined };
  let audio: EditedAudio = { ...first, ...stored };
  const done = async (): ReturnType<EditorCalls['publish']> => {
    const refused = next.shift();
    if (refused !== undefined) return refused;
    audio = { ...audio, version: audio.version + 1 };
    return { ok: true, data: { version: audio.version, apart: [], savedAt: '2026-11-23T21:04:00Z' } } as const;
  };
  const calls: EditorCalls = {
    save: ({ change }) => {
      saved.push(change);
      return done();
    },
    load: async () => nextLoads.shift() ?? { ok: true, data: audio },
    publish: done,
    discard(version) {
      discarded.push(version);
      return done();
    },
    setCover: done,
  };
  const unsaved = {
    read: async () => device.unsaved,
    keep: async (value: UnsavedChanges | undefined) => void (device.unsaved = value),
  };
  const open = () => createAudioEditor({ first, calls, unsaved });
  return {
    saved,
    discarded,
    next,
    nextLoads,
    device,
    open,
    editor: open(),
    changeTheirs: (their: EditedAudio) => (audio = their),
  };
}

const settle = () => vi.advanceTimersByTimeAsync(1000);

test('continuous typing is saved once, a moment later', async () => {
  const { editor, saved } = openEditor();
  editor.change({ title: 'A' });
  editor.change({ title: 'AB' });
  editor.change({ isFree: true });
  expect([saved, editor.getSnapshot().isUnsaved]).toEqual([[], true]);
  await settle();
  expect(saved).toEqual([{ title: 'AB', isFree: true }]);
  expect(editor.getSnapshot()).toMatchObject({ version: 2, status: { name: 'saved' }, isUnsaved: false });
});

test('an invalid field waits, and does not block the others', async () => {
  const { editor, saved } = openEditor();
  editor.change({ title: ' ' });
  editor.change({ description: 'Words' });
  await settle();
  expect(saved).toEqual([{ description: 'Words' }]);
  expect(editor.getSnapshot().faults).toEqual({ title: 'Enter a title' });
  editor.change({ title: 'Again' });
  await settle();
  expect(saved.at(-1)).toEqual({ title: 'Again' });
});

test('values that the site refuses are marked at their field, and the rest is saved', async () => {
  const { editor, saved, next } = openEditor();
  next.push(refusal('audio/slug-taken', 'Taken'));
  editor.change({ slug: 'taken', badge: 'New' });
  await settle();
  expect(saved).toEqual([{ slug: 'taken', badge: 'New' }, { badge: 'New' }]);
  expect(editor.getSnapshot()).toMatchObject({ faults: { slug: 'Taken' } });
  next.push({ ...refusal('request/invalid', 'Tags must have at most 40 characters.'), field: 'change.tags.0' });
  editor.change({ tags: ['x'] });
  await settle();
  expect(editor.getSnapshot().faults).toEqual({ slug: 'Taken', tags: 'Tags must have at most 40 characters.' });
  editor.change({ slug: 'free' });
  await settle();
  expect(saved.at(-1)).toEqual({ slug: 'free' });
  expect(editor.getSnapshot().faults).toEqual({ tags: 'Tags must have at most 40 characters.' });
});

test('offline changes stay on the device, are retried, and found by the next visit', async () => {
  const { editor, open, saved, next, device } = openEditor();
  next.push(offline, offline);
  editor.change({ title: 'Kept' });
  await settle();
  expect(editor.getSnapshot().status).toEqual({ name: 'offline' });
  expect(device.unsaved).toEqual({ version: 1, change: { title: 'Kept' } });
  const later = open();
  await later.resume();
  expect(later.getSnapshot().values.title).toBe('Kept');
  await vi.advanceTimersByTimeAsync(10_000);
  expect(saved.at(-1)).toEqual({ title: 'Kept' });
  expect(later.getSnapshot().status).toEqual({ name: 'saved' });
  expect(device.unsaved).toBeUndefined();
});

function inConflict() {
  const opened = openEditor();
  opened.changeTheirs({
    ...first,
    version: 5,
    values: { ...values, title: 'Theirs', badge: 'Theirs' },
    changes: [
      { field: 'title', version: 4, by: 'petra', at: '2026-11-23T21:02:00Z' },
      { field: 'badge', version: 5, by: 'petra', at: '2026-11-23T21:02:00Z' },
    ],
  });
  opened.next.push(refusal('audio/changed-meanwhile'));
  opened.editor.change({ title: 'Mine' });
  return opened;
}

test('a conflict names who changed the field, and keeps what was typed until it is decided', async () => {
  const { editor, saved } = inConflict();
  await settle();
  expect(editor.getSnapshot()).toMatchObject({
    status: { name: 'conflict', changes: [{ field: 'title', by: 'petra' }], theirs: { title: 'Theirs' } },
    values: { title: 'Mine' },
  });
  editor.change({ description: 'More' });
  await settle();
  expect(saved).toHaveLength(1);

  editor.takeTheirs();
  await settle();
  expect(editor.getSnapshot().values).toMatchObject({ title: 'Theirs', badge: 'Theirs', description: 'More' });
  expect(saved.at(-1)).toEqual({ description: 'More' });
});

test('theirs is taken for one field, and the other one waits for a choice', async () => {
  const { editor, saved } = inConflict();
  editor.change({ badge: 'Mine' });
  await settle();
  editor.takeTheirs('badge');
  expect(editor.getSnapshot()).toMatchObject({
    status: { name: 'conflict', changes: [{ field: 'title' }] },
    values: { title: 'Mine', badge: 'Theirs' },
  });
  await settle();
  expect(saved).toHaveLength(1);
  editor.keepMine();
  await settle();
  expect(saved.at(-1)).toEqual({ title: 'Mine' });
});

test('a refused publication says who changed what it would publish, and when', async () => {
  const { editor, next } = openEditor();
  next.push({ ...refusal('audio/changed-meanwhile'), change: { by: 'petra', at: '2026-11-23T21:02:00Z' } });
  expect(await editor.publishChanges()).toMatch(/^petra changed this meanwhile, 2\d Nov 2026, \d\d:\d2\. Look at it/);
});

test('“Keep mine” saves over their change, and takes over their other fields', async () => {
  const { editor, saved } = inConflict();
  await settle();
  editor.keepMine();
  await settle();
  expect(saved.at(-1)).toEqual({ title: 'Mine' });
  expect(editor.getSnapshot()).toMatchObject({ version: 6, values: { title: 'Mine', badge: 'Theirs' } });
});

const theirTitle: EditedAudio = {
  ...first,
  version: 2,
  values: { ...values, title: 'Theirs' },
  changes: [{ field: 'title', version: 2, by: 'petra', at: '2026-11-23T21:02:00Z' }],
};

test('a change by others is a conflict too when the page is looked at again before the save', async () => {
  const { editor, saved, next, changeTheirs } = openEditor();
  next.push(offline);
  editor.change({ title: 'Mine' });
  await settle();
  changeTheirs(theirTitle);
  await editor.refresh();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(saved).toHaveLength(1);
  expect(editor.getSnapshot()).toMatchObject({
    status: { name: 'conflict', changes: [{ field: 'title', by: 'petra' }] },
    values: { title: 'Mine' },
  });
  editor.takeTheirs();
  expect(editor.getSnapshot().values.title).toBe('Theirs');
});

test('what is typed during a save does not replace a change by others, and no own save is a conflict', async () => {
  const { editor, saved, changeTheirs } = openEditor();
  changeTheirs(theirTitle);
  editor.change({ description: 'One' });
  const saving = editor.save();
  editor.change({ title: 'Mine', description: 'Two' });
  await saving;
  expect(editor.getSnapshot()).toMatchObject({
    status: { name: 'conflict', changes: [{ field: 'title' }] },
    values: { title: 'Mine', description: 'Two' },
  });
  editor.keepMine();
  await settle();
  expect(saved).toEqual([{ description: 'One' }, { title: 'Mine', description: 'Two' }]);
});

test('an older answer does not replace what was saved meanwhile', async () => {
  const { editor, changeTheirs } = openEditor();
  editor.change({ title: 'Mine' });
  await editor.save();
  changeTheirs(first);
  await editor.refresh();
  expect(editor.getSnapshot()).toMatchObject({ version: 2, values: { title: 'Mine' } });
});

test('whoever manages the creator no longer is told so, and keeps the text', async () => {
  const { editor, next } = openEditor();
  next.push({ ok: false, code: 'request/not-found', message: 'Page not found.', status: 404 });
  editor.change({ title: 'Mine' });
  await settle();
  const message = expect.stringContaining('you no longer manage this creator');
  expect(editor.getSnapshot()).toMatchObject({ status: { name: 'refused', message }, values: { title: 'Mine' } });
});

test('nothing is published while something is not saved', async () => {
  const { editor, next } = openEditor();
  next.push(offline);
  editor.change({ title: 'Unsaved' });
  expect(await editor.publishChanges()).toBe('Some changes are not saved yet.');
  expect(await editor.publishChanges()).toBeUndefined();
});

test('what is typed while a publication saves is published too', async () => {
  const { editor, saved } = openEditor();
  editor.change({ title: 'A' });
  const publishing = editor.publishChanges();
  editor.change({ title: 'AB' });
  expect(await publishing).toBeUndefined();
  expect(saved).toEqual([{ title: 'A' }, { title: 'AB' }]);
});

test('a publication counts although the audio cannot be read after it', async () => {
  const { editor, nextLoads } = openEditor();
  nextLoads.push(offline);
  expect(await editor.publishChanges()).toBeUndefined();
  expect(editor.getSnapshot()).toMatchObject({ version: 2, status: { name: 'saved' }, values });
});

test('a conflict that was decided is none again when the page is looked at before the save', async () => {
  const { editor, saved, next } = inConflict();
  await settle();
  next.push(offline);
  editor.keepMine();
  await settle();
  await editor.refresh();
  expect(editor.getSnapshot().status).toEqual({ name: 'offline' });
  await vi.advanceTimersByTimeAsync(10_000);
  expect(saved.at(-1)).toEqual({ title: 'Mine' });
  expect(editor.getSnapshot().status).toEqual({ name: 'saved' });
});

test('an editor that is left while it reads what this device kept leaves that to the next one', async () => {
  const { editor, saved, device } = openEditor();
  device.unsaved = { version: 1, change: { title: 'Kept' } };
  const resuming = editor.resume();
  editor.stop();
  await resuming;
  await settle();
  expect([saved, editor.getSnapshot().values.title]).toEqual([[], 'Title']);
  expect(device.unsaved).toEqual({ version: 1, change: { title: 'Kept' } });
});

test('changes are discarded after the save that is under way, and a cover is set after what was typed', async () => {
  const { editor, saved, discarded } = openEditor();
  editor.change({ title: 'A' });
  void editor.save();
  expect(await editor.discardChanges()).toBeUndefined();
  expect([saved, discarded]).toEqual([[{ title: 'A' }], [2]]);
  editor.change({ title: 'B' });
  expect(await editor.setCover({ drawn: true })).toBeUndefined();
  expect(saved.at(-1)).toEqual({ title: 'B' });
});
