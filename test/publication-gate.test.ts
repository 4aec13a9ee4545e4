import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { afterAll, expect, test, vi } from 'vitest';
import { publish as publishCommand } from '../src/cli/own/content.ts';
import { BulkActForm } from '#domain/admin/forms.ts';
import type { BulkVerb } from '#domain/admin/rules.ts';
import { facets, tags as tagTable } from '#domain/catalogue/tables.ts';
import type { ReviewMode } from '#domain/catalogue/review/rules.ts';
import { type ChainSettings, chainSetting } from '#domain/catalogue/editing/chain.ts';
import { reviewSetting } from '#domain/catalogue/review/settings.ts';
import { setVoiceOwner } from '#domain/community/voice-owners.ts';
import { setAdmin } from '#domain/identity/operators.ts';
import { operator } from '#domain/kernel/actor.ts';
import type { User } from '#domain/kernel/viewer.ts';
import { changeSetting, findSetting } from '#domain/settings/change-setting.ts';
import { creatorAgreements, performers, unheardOwners } from '#domain/verification/tables.ts';
import { newId } from '#domain/kernel/ids.ts';
import { editAudioFiles, editManagedAudio } from '#domain/studio/audios/edit-audio.ts';
import { importAudio } from '#domain/studio/uploads/import.ts';
import { openAudioTags } from '#gateways/audio-tags.ts';
import { openCovers } from '#gateways/covers.ts';
import { createAudio, createSession, createUser, createViewer, createVoice } from './support/factories.ts';
import { startTestSite } from './support/site.ts';
import { silentMp3 } from './support/sound/sound-files.ts';
import { slow } from './support/tags.ts';

/** No way publishes an audio that a condition of publication keeps from it (`publication-gate.ts`). */

vi.setConfig({ testTimeout: 180_000 });

/** Tries by random ways; all kinds of gaps together are tried as often. */
const sizes = [
  { tries: 120, tags: {} },
  { tries: 1000, tags: slow },
];
const { url, db, site, blobs } = await startTestSite();
const { studio } = site;
const { content } = site.admin;
const folder = mkdtempSync(join(tmpdir(), 'sotto-gate-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const tools = { db, blobs, audioTags: openAudioTags(), covers: openCovers() };

const admin: User = { ...(await createViewer(db, { isAdmin: true })), isAdmin: true };
const { id: ownerId } = await createUser(db);
const voice = await createVoice(db);
const otherVoice = await createVoice(db);
/** Each has its own limit of calls a minute. */
const tokens: string[] = [];
for (const userId of [
  ownerId,
  ...(await Promise.all(Array.from({ length: 7 }, () => createUser(db)))).map(({ id }) => id),
]) {
  for (const { id } of [voice, otherVoice]) await setVoiceOwner(db, id, userId, true);
  tokens.push((await createSession(db, userId)).token);
}
await setAdmin(db, admin.id, true);
const owner: User = {
  kind: 'user',
  id: ownerId,
  isSubscribed: false,
  isComplete: true,
  voiceRoles: { [voice.id]: 'owner', [otherVoice.id]: 'owner' },
};

async function setMode(mode: ReviewMode): Promise<void> {
  const { revision } = await findSetting(db, reviewSetting);
  await db.transaction((tx) => changeSetting(tx, reviewSetting, { actor: operator, value: { mode }, revision }));
}

async function setChain(value: Partial<ChainSettings>): Promise<void> {
  const { revision } = await findSetting(db, chainSetting);
  const whole = chainSetting.schema.parse(value);
  await db.transaction((tx) => changeSetting(tx, chainSetting, { actor: operator, value: whole, revision }));
}

/** The same sequence in each run. */
let seed = 46;
function random(below: number): number {
  seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
  return seed % below;
}

const soon = () => new Date(Date.now() + 3_600_000);
let calls = 0;
async function call(method: string, path: string, body?: unknown): Promise<void> {
  const { status } = await fetch(`${url}/v1/api/studio/audios${path}`, {
    method,
    headers: { authorization: `Bearer ${tokens[calls++ % tokens.length]}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  // Otherwise nothing would have been tried.
  if (status === 401 || status === 429) throw new Error(`${method} ${path}: ${status}`);
}
async function startBulk(verb: BulkVerb, ids: string[]): Promise<string> {
  const started = await content.startBulkAct(admin, BulkActForm.parse({ verb, ids }));
  if (!started.ok) throw new Error(started.reason);
  await content.runBulkAct(started.id);
  return started.id;
}
async function undo(id: string): Promise<void> {
  const undone = await content.undoBulkAct(admin, id);
  if (undone.ok) await content.runBulkAct(undone.id);
}
const command = (id: string, at?: Date) =>
  publishCommand.act({ tools: { db }, viewer: operator, id, input: { at } } as never);
let files = 0;
function newFile(): string {
  files += 1;
  const path = join(folder, `${files}.mp3`);
  writeFileSync(path, silentMp3(1, { TIT2: `Import ${files}` }));
  return path;
}

/** All ways that could make an audio public. */
const ways: Record<string, (id: string) => Promise<unknown>> = {
  studio: (id) => studio.publishAudio(owner, id),
  schedule: (id) => studio.publishAudio(owner, id, soon()),
  backdate: (id) => studio.publishAudio(admin, id, new Date('2020-01-01T00:00:00Z')),
  api: (id) => call('PUT', `/${id}/publication`, { state: 'published' }),
  'api, scheduled': (id) => call('PUT', `/${id}/publication`, { state: 'scheduled', at: soon().toISOString() }),
  'api, many': (id) => call('POST', '/acts', { act: 'publish', ids: [id] }),
  bulk: (id) => startBulk('publish', [id]),
  'bulk, undone': async (id) => undo(await startBulk('unpublish', [id])),
  'bulk, undone twice': async (id) => {
    const act = await startBulk('publish', [id]);
    await undo(act);
    await startBulk('publish', [id]);
  },
  'deleted and restored': async (id) => {
    await studio.publishAudio(owner, id, soon());
    await studio.deleteAudio(owner, id);
    await studio.restoreAudio(owner, id);
  },
  'deleted and undone': async (id) => undo(await startBulk('delete', [id])),
  command: (id) => command(id) as Promise<unknown>,
  'command, scheduled': (id) => command(id, soon()) as Promise<unknown>,
  import: async () => {
    const result = await importAudio(tools, newFile(), 'A file', {
      voice: voice.slug,
      voiceTypeLabel: 'Voice',
      isFree: true,
      publish: true,
    });
    expect(result).toMatchObject({ ok: true });
  },
  moved: async (id) => {
    await editManagedAudio(db, admin, id, { voice: random(2) === 0 ? voice.slug : otherVoice.slug });
    await studio.publishAudio(owner, id);
  },
  'new sound': async (id) => {
    await editAudioFiles(tools, operator, id, {}, { sound: newFile() });
    await studio.publishAudio(owner, id);
  },
  edited: async (id) => {
    const version = (await studio.findEditedAudio(owner, id))?.version ?? 0;
    await studio.saveAudio(owner, id, { version, change: { description: `Version ${version}` } });
    await studio.publishAudio(owner, id);
  },
  'creator hidden and shown': async (id) => {
    await content.editVoice(admin, voice.id, { isHidden: true });
    await studio.publishAudio(owner, id);
    await content.editVoice(admin, voice.id, { isHidden: false });
  },
};

/** Public now, or later without another act. */
async function countOut(): Promise<number> {
  const { rows } = await db.execute<{ out: number }>(sql`
    select count(*)::int as out from audios
    where coalesce(published_at, published_while_hidden, published_at_deletion) is not null`);
  return rows[0]?.out ?? 0;
}

/** Tries a way at random; returns the ways that made something public. */
async function tryWays(ids: string[], count: number, except: string[] = []): Promise<string[]> {
  const names = Object.keys(ways).filter((name) => !except.includes(name));
  const out: string[] = [];
  for (let done = 0; done < count; done += 1) {
    // Each at least once.
    const name = names[done] ?? names[random(names.length)] ?? '';
    await ways[name]?.(ids[random(ids.length)] ?? '');
    if ((await countOut()) > 0) out.push(name);
  }
  return out;
}

for (const { tries, tags } of sizes)
  test(`with review of all audios, no way publishes without one, in ${tries} tries`, tags, async () => {
    await setMode('all');
    const ids: string[] = [];
    for (let count = 0; count < 20; count += 1)
      ids.push((await createAudio(db, { voiceId: voice.id, publishedAt: null })).id);
    expect(await tryWays(ids, tries)).toEqual([]);
  });

/** Each link of the chain that is missing, with what an operator asks for; the last two count without any setting. */
const gaps: Record<string, [Partial<ChainSettings>, (audioId: string) => Promise<unknown>]> = {
  'an unverified creator': [{ creators: true }, async () => undefined],
  'an agreement that waits': [
    { agreement: true },
    () => db.insert(creatorAgreements).values({ version: 1, text: 'You keep all rights.' }).onConflictDoNothing(),
  ],
  'nobody who is heard': [{ consents: true }, (audioId) => db.insert(unheardOwners).values({ audioId })],
  'a consent that waits': [{ consents: true }, (audioId) => addPerformer(audioId, 'asked')],
  'a consent without publication': [{ consents: true }, (audioId) => addPerformer(audioId, 'given', false)],
  'an unchecked performer': [{ performers: true }, (audioId) => addPerformer(audioId, 'given')],
  'a refused consent': [{}, (audioId) => addPerformer(audioId, 'refused', false)],
  'a consent that was taken back': [{}, (audioId) => addPerformer(audioId, 'withdrawn', false)],
  'no tag of a required facet': [
    {},
    async () => {
      const mood = { id: newId(), slug: 'mood', label: 'Mood', chooses: 'many', isRequired: true } as const;
      const [made] = await db.insert(facets).values(mood).onConflictDoNothing().returning();
      if (made) await db.insert(tagTable).values({ id: newId(), slug: 'calm', label: 'Calm', facetId: made.id });
    },
  ],
};

async function addPerformer(audioId: string, state: 'asked' | 'given' | 'refused' | 'withdrawn', isPublished = true) {
  const id = newId();
  await db.insert(performers).values({ id, voiceId: voice.id, name: 'Hanna' });
  const isGiven = state === 'given';
  await db.execute(sql`
    insert into consents (audio_id, performer_id, state, recorded, published, sound, answered_at)
    select id, ${id}, ${state}, ${isGiven}, ${isGiven && isPublished}, file_key, now() from audios where id = ${audioId}`);
}

for (const { tries, tags } of sizes)
  test.each(Object.keys(gaps))(`with %s, no way publishes, in ${tries / 8} tries`, tags, async (name) => {
    await setMode('off');
    const [settings, make] = gaps[name] ?? [{}, async () => undefined];
    await db.execute(sql`delete from audios`);
    await setChain(settings);
    const ids: string[] = [];
    for (let count = 0; count < 10; count += 1) {
      const { id } = await createAudio(db, { voiceId: voice.id, publishedAt: null });
      await make(id);
      ids.push(id);
    }
    // An imported audio has no performers yet.
    const isOfCreator = /creator|agreement|facet/.test(name);
    expect(await tryWays(ids, tries / 8, isOfCreator ? [] : ['import'])).toEqual([]);
    await setChain({});
    await db.delete(facets);
    await db.delete(tagTable);
  });

test.each(Object.keys(ways).filter((name) => !/undone|new sound/.test(name)))(
  'without conditions, “%s” publishes',
  async (name) => {
    await setMode('off');
    await db.execute(sql`delete from audios`);
    const audio = await createAudio(db, { voiceId: voice.id, publishedAt: null });
    await ways[name]?.(audio.id);
    expect(await countOut()).toBe(1);
  },
);
