import { eq, inArray } from 'drizzle-orm';
import { beforeEach, expect, test } from 'vitest';
import { inLanguage } from '#i18n';
import { actionsAbout } from '#test/support/audit.ts';
import { createTestDatabase } from '#test/support/database.ts';
import { createAudio, createViewer } from '#test/support/factories.ts';
import { meanwhile } from '#test/support/meanwhile.ts';
import { openTestSite } from '#test/support/test-site.ts';
import { restoreAudio } from '../../catalogue/editing/deletion.ts';
import { editAudio } from '../../catalogue/editing/editing.ts';
import { addFacetTags } from '../../catalogue/facets/tags-of-audios.ts';
import { audios, audioTags, facets, tags } from '../../catalogue/tables.ts';
import type { User } from '../../kernel/viewer.ts';
import { changeSetting, findSetting } from '../../settings/change-setting.ts';
import { Languages, languageSetting } from '../../settings/languages.ts';
import { wordSetting, WordLists } from '../../settings/word-lists.ts';
import { operator } from '../../kernel/actor.ts';
import { FacetForm } from '../forms.ts';
import { editFacet } from './facets.ts';

const { db } = await createTestDatabase();
const site = await openTestSite(db);
const { content } = site.admin;
const ada: User = { ...(await createViewer(db, { username: 'ada.m', isAdmin: true })), isAdmin: true };
const listener = await createViewer(db);

beforeEach(async () => {
  await db.delete(facets);
  await db.delete(tags);
});

async function make(label: string, labels: string[] = [], more: Partial<FacetForm> = {}): Promise<string> {
  const made = await content.createFacet(ada, FacetForm.parse({ label, ...more }));
  if (!made.ok) throw new Error(made.reason);
  for (const one of labels) expect(await content.addFacetTag(ada, made.id, { label: one })).toMatchObject({ ok: true });
  return made.id;
}
const idsOf = async (...labels: string[]) => {
  const rows = await db.select({ id: tags.id, label: tags.label }).from(tags).where(inArray(tags.label, labels));
  return labels.map((label) => rows.find((row) => row.label === label)?.id ?? '');
};
/** Facets with their tags: `Mood: Tender Longing`. */
const shown = async () =>
  (await content.listFacets(ada)).map(({ label, tags: all }) => [label, ...all.map((tag) => tag.label)].join(' '));
const tagsOf = async (id: string) => (await site.catalogue.findAudio(id))?.tags.map(({ label }) => label);

test('facets and their tags are made, ordered, moved and deleted, and tags keep their audios', async () => {
  const audio = await createAudio(db, { tagLabels: ['longing', 'rain'] });
  const mood = await make('Mood', ['Tender', 'longing', 'Solemn']);
  const kind = await make('Kind', ['Letter']);
  expect(await shown()).toEqual(['Mood Tender longing Solemn', 'Kind Letter']);

  const [tender = '', longing = '', solemn = '', letter = '', rain = ''] = await idsOf(
    'Tender',
    'longing',
    'Solemn',
    'Letter',
    'rain',
  );
  const before = [tender, longing, solemn];
  expect(await content.setFacetTags(ada, mood, { tagIds: [solemn, letter, longing], before })).toEqual({ ok: true });
  expect(await shown()).toEqual(['Mood Solemn Letter longing', 'Kind']);
  const late = content.setFacetTags(ada, mood, { tagIds: [rain], before });
  await expect(late).rejects.toMatchObject({ code: 'list/changed', change: { by: 'ada.m' } });
  expect(await content.setFacetTags(ada, mood, { tagIds: [crypto.randomUUID()] })).toMatchObject({ ok: false });

  expect(await content.orderByHand(ada, 'facet', { ids: [kind, mood], before: [mood, kind] })).toBe(true);
  expect(await shown()).toEqual(['Kind', 'Mood Solemn Letter longing']);
  expect(await content.deleteFacet(ada, mood)).toBe(true);
  expect(await content.deleteFacet(ada, mood)).toBe(false);
  expect(await shown()).toEqual(['Kind']);
  expect(await tagsOf(audio.id)).toEqual(['longing', 'rain']);
  expect(await actionsAbout(db, mood)).toEqual([
    'facet.create',
    'facet.tags',
    'facet.tags',
    'facet.tags',
    'facet.tags',
    'facet.delete',
  ]);
});

test('a change says what it saw, keeps addresses apart, and one facet has the content notes', async () => {
  const mood = await make('Mood', [], { hasContentNotes: true });
  const other = await make('Mood');
  expect((await content.listFacets(ada)).map(({ slug }) => slug)).toEqual(['mood', 'mood-2']);
  const refusals = [
    await content.editFacet(ada, other, { slug: 'mood' }),
    await content.editFacet(ada, other, { hasContentNotes: true }),
    await content.createFacet(ada, FacetForm.parse({ label: 'Third', hasContentNotes: true })),
  ].map((outcome) => outcome.ok || outcome.reason);
  expect(refusals).toEqual(['address-taken', 'notes-elsewhere', 'notes-elsewhere']);
  const edit = { label: 'Feeling', before: { label: 'Mood' } };
  expect(await content.editFacet(ada, mood, edit)).toEqual({ ok: true });
  await expect(content.editFacet(ada, mood, edit)).rejects.toMatchObject({ code: 'text/changed-meanwhile' });
  expect((await content.listFacets(ada))[0]).toMatchObject({ slug: 'mood', label: 'Feeling', hasContentNotes: true });
});

test('listeners and words that the site refuses change nothing', async () => {
  const mood = await make('Mood', ['Tender']);
  const { revision } = await findSetting(db, wordSetting);
  const value = WordLists.parse({ refused: ['vile'] });
  await db.transaction((tx) => changeSetting(tx, wordSetting, { actor: operator, value, revision }));
  const refused = { ok: false, reason: 'not-found' };
  expect(await content.createFacet(listener, FacetForm.parse({ label: 'Mine' }))).toEqual(refused);
  expect(await content.editFacet(listener, mood, { label: 'Mine' })).toEqual(refused);
  expect(await content.setFacetTags(listener, mood, { tagIds: [] })).toEqual(refused);
  expect(await content.addFacetTag(listener, mood, { label: 'Mine' })).toEqual(refused);
  expect(await content.addFacetPresets(listener)).toEqual(refused);
  expect(await content.deleteFacet(listener, mood)).toBe(false);
  expect(await content.listFacets(listener)).toEqual([]);
  const faults = [
    () => content.createFacet(ada, FacetForm.parse({ label: 'Vile' })),
    () => content.editFacet(ada, mood, { label: 'vile' }),
    () => content.addFacetTag(ada, mood, { label: 'vile' }),
  ];
  for (const fault of faults) await expect(fault()).rejects.toMatchObject({ code: 'words/refused' });
  expect(await shown()).toEqual(['Mood Tender']);
});

test('an audio has one tag of a facet that takes one, however the second would come', async () => {
  const who = await make('Who to whom', ['F4M', 'F4A'], { chooses: 'one' });
  const audio = await createAudio(db, { tagLabels: ['night'] });
  const edit = (labels: string[]) => editAudio(db, audio.id, { tags: labels });
  expect(await edit(['F4M', 'night'])).toMatchObject({ ok: true });
  expect(await edit(['F4M', 'F4A'])).toEqual({ ok: false, reason: 'crowded-facet', name: 'Who to whom' });
  expect(await tagsOf(audio.id)).toEqual(['F4M', 'night']);

  const [f4m = '', f4a = '', night = ''] = await idsOf('F4M', 'F4A', 'night');
  const crowded = { ok: false, reason: 'crowded', audios: 1 };
  expect(await content.addFacetTag(ada, who, { label: 'night' })).toEqual(crowded);
  expect(await content.setFacetTags(ada, who, { tagIds: [f4m, f4a, night] })).toEqual(crowded);
  expect(await content.mergeTag(ada, night, f4a)).toEqual(crowded);
  const mood = await make('Mood', ['night', 'F4M']);
  expect(await content.editFacet(ada, mood, { chooses: 'one' })).toEqual(crowded);
  expect(await shown()).toEqual(['Who to whom F4A', 'Mood night F4M']);

  // A deleted audio is in nobody's way.
  await db.update(audios).set({ publishedAt: null, deletedAt: new Date() }).where(eq(audios.id, audio.id));
  expect(await content.editFacet(ada, mood, { chooses: 'one' })).toEqual({ ok: true });
  // Restored, it has several; acts that add none to it go on.
  await restoreAudio(db, audio.id);
  expect(await content.addFacetTag(ada, mood, { label: 'Soft' })).toMatchObject({ ok: true });
  await createAudio(db, { tagLabels: ['Mellow'] });
  const [mellow = '', soft = ''] = await idsOf('Mellow', 'Soft');
  expect(await content.mergeTag(ada, mellow, soft)).toEqual({ ok: true });
});

test('the draft of a public audio has one tag of a facet that takes one', async () => {
  await make('Who to whom', ['F4M', 'F4A'], { chooses: 'one' });
  const { id } = await createAudio(db);
  const saved = await site.studio.saveAudio(ada, id, { version: 0, change: { tags: ['F4M', 'F4A'] } });
  expect(saved).toMatchObject({ ok: false, reason: 'crowded-facet' });
});

test('an upload has one tag of a facet that comes to take one meanwhile', async () => {
  const who = await make('Who to whom', ['F4M', 'F4A']);
  const { id } = await createAudio(db);
  await meanwhile(
    db,
    (tx) => editFacet(tx, ada, who, { chooses: 'one' }),
    () => db.transaction((tx) => addFacetTags(tx, id, ['f4m', 'f4a'])),
  );
  expect(await tagsOf(id)).toEqual(['F4M']);
});

test('a merged tag leaves its audios to the other one, which stays in its facet', async () => {
  await make('Mood', ['Tender']);
  await make('Kind', ['Soft'], { chooses: 'one' });
  const audio = await createAudio(db, { tagLabels: ['Tender'] });
  const [tender = '', soft = ''] = await idsOf('Tender', 'Soft');
  expect(await content.mergeTag(ada, tender, soft)).toEqual({ ok: true });
  expect(await shown()).toEqual(['Mood', 'Kind Soft']);
  expect(await tagsOf(audio.id)).toEqual(['Soft']);
});

test('an edit never leaves an audio with two tags of one facet while they move there', async () => {
  const who = await make('Who to whom', [], { chooses: 'one' });
  for (let round = 0; round < 5; round += 1) {
    const labels = [`F${round}`, `M${round}`];
    const audio = await createAudio(db);
    await createAudio(db, { tagLabels: [labels[0] ?? ''] });
    await createAudio(db, { tagLabels: [labels[1] ?? ''] });
    const tagIds = await idsOf(...labels);
    const [moved, edited] = await Promise.all([
      content.setFacetTags(ada, who, { tagIds }),
      editAudio(db, audio.id, { tags: labels }),
    ]);
    expect([moved.ok, edited.ok].filter(Boolean)).toHaveLength(1);
    const count = await db.$count(audioTags, eq(audioTags.audioId, audio.id));
    expect(count).toBe(edited.ok ? 2 : 0);
  }
});

test('presets take over tags with their names, come in every language, and come once', async () => {
  await createAudio(db, { tagLabels: ['letter', 'parting'] });
  await make('Own', ['Death']);
  const added = await content.addFacetPresets(ada);
  expect(added).toEqual({ ok: true, facets: 5, tags: expect.any(Number) });
  const all = await content.listFacets(ada);
  expect(all.map(({ slug, chooses, hasContentNotes }) => [slug, chooses, hasContentNotes])).toEqual([
    ['own', 'many', false],
    ['who-to-whom', 'one', false],
    ['kind', 'one', false],
    ['mood', 'many', false],
    ['intensity', 'one', false],
    ['content-notes', 'many', true],
  ]);
  const labelsOf = (slug: string) => all.find((facet) => facet.slug === slug)?.tags.map(({ label }) => label) ?? [];
  expect(labelsOf('kind')).toContain('letter');
  expect(labelsOf('content-notes').slice(0, 2)).toEqual(['parting', 'Grief']);
  expect(labelsOf('own')).toEqual(['Death']);
  const total = all.reduce((sum, facet) => sum + facet.tags.length, 0) - 1;
  expect(added).toMatchObject({ tags: total });
  expect(await content.addFacetPresets(ada)).toEqual({ ok: true, facets: 0, tags: 0 });

  const { revision } = await findSetting(db, languageSetting);
  const value = Languages.parse({ de: true });
  await db.transaction((tx) => changeSetting(tx, languageSetting, { actor: operator, value, revision }));
  await site.settings.refresh();
  const inGerman = await inLanguage('de', () => site.catalogue.listFacets());
  expect(inGerman[2]).toMatchObject({ label: 'Art', explanation: 'Was es ist.' });
  expect(inGerman[2]?.tags.find(({ slug }) => slug === 'letter')).toEqual({ slug: 'letter', label: 'Brief' });
  expect(inGerman[1]?.tags[0]).toEqual({ slug: 'f4m', label: 'F4M' });
});

test('presets come again without a tag that was taken out and is beside another of them now', async () => {
  await content.addFacetPresets(ada);
  const [who] = await content.listFacets(ada);
  const [out, ...rest] = (who?.tags ?? []).map(({ id }) => id);
  await content.setFacetTags(ada, who?.id ?? '', { tagIds: rest });
  await createAudio(db, { tagLabels: ['F4M', 'F4A'] });
  expect(who?.tags[0]).toMatchObject({ id: out, label: 'F4M' });
  expect(await content.addFacetPresets(ada)).toEqual({ ok: true, facets: 0, tags: 0 });
});

test('where audios have several tags of a preset, it takes several', async () => {
  await createAudio(db, { tagLabels: ['F4M', 'F4A'] });
  await content.addFacetPresets(ada);
  const [who] = await content.listFacets(ada);
  expect(who).toMatchObject({ slug: 'who-to-whom', chooses: 'many' });
});
