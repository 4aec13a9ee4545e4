import { expect, test } from 'vitest';
import { ArticleEdit } from './admin/texts/article-forms.ts';
import { CategoryForm, PlaylistForm, TagForm, VoiceForm } from './admin/forms.ts';
import { AudioEdit } from './catalogue/editing/editing.ts';
import { SeriesEditForm, VoiceProfileForm } from './catalogue/forms.ts';
import { UploadEdit } from './studio/forms.ts';

/** A letter with marks that cover the lines above, and one in two parts. */
const wild = `A${'\u0301'.repeat(150)} Cafe\u0301`;
const plain = `\u00C1${'\u0301'.repeat(6)} Café`;
const cue = { start: 0, end: 1 };

// Usernames, comments and listeners' playlists are composed by functions with tests of their own.
test.each([
  ['the title of an audio', AudioEdit, { title: wild }, { title: plain }],
  ['its description', AudioEdit, { description: wild }, { description: plain }],
  ['its badge', AudioEdit, { badge: 'Cafe\u0301' }, { badge: 'Café' }],
  ['its tags', AudioEdit, { tags: ['Cafe\u0301'] }, { tags: ['Café'] }],
  ['its transcript', AudioEdit, { transcript: [{ ...cue, text: wild }] }, { transcript: [{ ...cue, text: plain }] }],
  ['an upload', UploadEdit, { title: wild }, { title: plain }],
  ['a creator', VoiceForm, { name: 'Noe\u0308', voiceType: 'female', bio: wild }, { name: 'Noë', bio: plain }],
  ['a creator’s page', VoiceProfileForm, { bio: wild }, { bio: plain }],
  ['a series', SeriesEditForm, { title: wild, description: wild }, { title: plain, description: plain }],
  ['a category', CategoryForm, { label: 'Cafe\u0301', description: wild }, { label: 'Café', description: plain }],
  ['a tag', TagForm, { label: 'Cafe\u0301' }, { label: 'Café' }],
  ['a playlist', PlaylistForm, { title: 'Cafe\u0301', description: wild }, { title: 'Café', description: plain }],
  ['an article', ArticleEdit, { revision: 1, title: wild, body: wild }, { title: plain, body: plain }],
])('%s is composed, with six marks a letter at most', (_name, form, typed, stored) => {
  expect(form.parse(typed)).toMatchObject(stored);
});
