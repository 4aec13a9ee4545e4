import { readdir } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { z } from 'zod';
import { PageQuery } from '#api/schemas.ts';
import { publishingRefusals, savingRefusals } from '#api/studio/audios.ts';
import { translationRefusals } from '#api/studio/translations.ts';
import { writtenChapters } from '#domain/catalogue/chapter-rules.ts';
import { parseVtt } from '#domain/catalogue/cue-rules.ts';
import { AudioEdit } from '#domain/catalogue/editing/editing.ts';
import { type ManagedResult, publishAudio, unpublishAudio } from '#domain/studio/audios/publishing.ts';
import { editAudioFiles } from '#domain/studio/audios/edit-audio.ts';
import { setTranslation } from '#domain/studio/audios/translations.ts';
import { Script, TranslationForm, TranslationLanguage } from '#domain/studio/forms.ts';
import { startTiming, takeReadyTimings } from '#domain/studio/timing/timings.ts';
import { managedReviewStates } from '#domain/studio/rules.ts';
import { notLanguage } from '#domain/kernel/forms.ts';
import { CommandError, readOperatorsFile, resolveFolder } from '../command.ts';
import { flag, ownCall } from './own-call.ts';

const Search = PageQuery.extend({ q: z.string().optional().describe('beginnings of words of the name') });
const deleted = flag.describe('deleted ones that can be restored');

export const listVoices = ownCall('voices list', {
  about: 'Creators',
  query: Search.extend({
    hidden: flag.describe('only hidden ones'),
    asking: flag.describe('only those who ask for verification'),
    deleted,
  }),
  act: async ({ site, viewer, query: { hidden, asking, deleted: isDeleted, ...query } }) =>
    isDeleted
      ? site.admin.content.listDeletedGroups(viewer, 'voice')
      : site.admin.content.listVoices(viewer, { ...query, state: hidden ? 'hidden' : asking ? 'asking' : undefined }),
});

export const listCategories = ownCall('categories list', {
  about: 'Categories in their order',
  query: z.object({ deleted }),
  act: ({ site, viewer, query }) =>
    query.deleted
      ? site.admin.content.listDeletedGroups(viewer, 'category')
      : site.admin.content.listCategories(viewer),
});

export const listTags = ownCall('tags list', {
  about: 'Tags, with their audios and the listeners who hide them',
  query: Search,
  act: ({ site, viewer, query }) => site.admin.content.listTags(viewer, query),
});

export const listPlaylists = ownCall('playlists list', {
  about: 'Playlists of the site in their order',
  query: z.object({ deleted }),
  act: ({ site, viewer, query }) =>
    query.deleted ? site.admin.content.listDeletedPlaylists(viewer) : site.admin.content.listPlaylists(viewer),
});

export const findPlaylist = ownCall('playlists show', {
  path: '/playlists/{id}',
  about: 'A playlist with its audios',
  act: ({ site, viewer, id }) => site.admin.content.findPlaylist(viewer, id),
});

export const listDeletedSeries = ownCall('series list-deleted', {
  about: 'Deleted series that can be restored',
  act: ({ site, viewer }) => site.admin.content.listAllDeletedSeries(viewer, 500),
});

/** The audio's new state, and a warning where visitors have no preview now. */
function stateOf(result: ManagedResult) {
  if (!result.ok) return result;
  const { slug, review, publishedAt, isHidden, isPreview } = result.audio;
  const state = review === null ? result.audio.state : managedReviewStates[review];
  const isMissed = isPreview && (state !== 'published' || isHidden);
  return { slug, state, publishedAt, ...(isMissed && { note: 'It is the preview, which visitors cannot hear now' }) };
}

const At = z.iso
  .datetime({ offset: true, error: 'is not a time such as 2026-02-14T20:00:00Z' })
  .transform((text) => new Date(text))
  .optional()
  .describe('such as 2026-02-14T20:00:00Z; later: schedules it, earlier: backdates it');

export const publish = ownCall('audios publish', {
  path: '/audios/{id}',
  about: 'Publishes an audio, now or at a time; one that was published keeps its first date. Many: bulk-acts start',
  input: z.object({ at: At }),
  refuses: publishingRefusals,
  act: async ({ tools, viewer, id, input }) => stateOf(await publishAudio(tools.db, viewer, id, input.at)),
});

export const unpublish = ownCall('audios unpublish', {
  path: '/audios/{id}',
  about: 'Makes an audio a draft again, whose file cannot be loaded; its counts stay',
  input: z.object({ evenPreview: z.boolean().default(false).describe('also the preview, which visitors then lack') }),
  refuses: publishingRefusals,
  act: async ({ tools, viewer, id, input }) => stateOf(await unpublishAudio(tools.db, viewer, id, input)),
});

export const translate = ownCall('audios translate', {
  path: '/audios/{id}/{language}',
  about: 'Adds or replaces a translation of the transcript, for listeners at once; the language as BCP 47',
  input: z.object({ transcript: z.string().describe('WebVTT') }),
  refuses: translationRefusals,
  act({ tools, viewer, id, language, input }) {
    const cues = TranslationForm.shape.cues.safeParse(parseVtt(input.transcript));
    if (!cues.success) throw new CommandError('The transcript is not WebVTT');
    const into = TranslationLanguage.safeParse(language);
    if (!into.success) throw new CommandError(notLanguage.error());
    return setTranslation(tools.db, viewer, id, { language: into.data, cues: cues.data });
  },
});

const scriptExtension = '.txt';
const startRefusals = { 'not-found': 'has no audio', 'too-many-scripts': 'has a creator whose scripts are too many' };

export const timeScripts = ownCall('audios time-scripts', {
  path: '/folders/{folder}',
  about: 'Times scripts against recordings, in the background: <slug>.txt of a folder for the audio with that slug',
  details:
    'Each result waits until it is taken, in the Studio or by audios take-timings; an audio with a transcript, or a script that waits for that, is skipped',
  input: z.object({
    replace: flag.describe(
      'also audios with a transcript, which stays until the result is taken, or with another script',
    ),
  }),
  async act({ tools, site, context, viewer, folder, input }) {
    const path = resolveFolder(context, folder);
    const files = await readdir(path).catch((error: NodeJS.ErrnoException) => {
      throw new CommandError(`${path} cannot be read: ${error.code ?? error.message}`);
    });
    const outcome = { started: 0, skipped: [] as string[], refused: [] as { file: string; reason: string }[] };
    for (const file of files.filter((name) => extname(name) === scriptExtension).toSorted()) {
      const slug = basename(file, scriptExtension);
      const edited = await site.studio.findEditedAudio(viewer, slug);
      if (edited !== undefined && edited.values.transcript !== null && input.replace === undefined) {
        outcome.skipped.push(file);
        continue;
      }
      const script = Script.safeParse((await readOperatorsFile(context, join(path, file))).toString('utf8'));
      if (!script.success) {
        outcome.refused.push({ file, reason: script.error.issues[0]?.message ?? 'cannot be read' });
        continue;
      }
      const parts = { db: tools.db, addJobs: async () => undefined };
      const started = await startTiming(parts, viewer, slug, script.data, { keepsFormer: input.replace === undefined });
      if (started.ok) outcome.started += 1;
      else if (started.reason === 'has-timing') outcome.skipped.push(file);
      else outcome.refused.push({ file, reason: 'why' in started ? started.why : startRefusals[started.reason] });
    }
    return outcome;
  },
});

export const takeTimings = ownCall('audios take-timings', {
  about: 'Makes every timed script that is ready the transcript of its audio, where that has none',
  input: z.object({}),
  act: async ({ tools, viewer }) => takeReadyTimings(tools.db, viewer),
});

export const edit = ownCall('audios edit', {
  path: '/audios/{id}',
  about: 'Changes an audio at once, also a published one: all that is named or, if one is refused, nothing',
  changes: true,
  input: AudioEdit.extend({
    voice: AudioEdit.shape.voice.describe('slug of another creator'),
    tags: AudioEdit.shape.tags.describe('labels'),
    transcript: z.string().nullable().optional().describe('WebVTT'),
    chapters: z.string().nullable().optional().describe('one to a line, such as: 2:15 The kiss'),
    cover: z.base64().nullable().optional(),
    file: z.string().optional().describe('path of its new sound, which is checked as in an import'),
  }),
  refuses: { ...savingRefusals, 'unknown-voice': 'request/invalid', 'not-a-picture': 'picture/unreadable' },
  async act({ tools, context, viewer, id, input: { cover, file, transcript, chapters, ...edit } }) {
    const cues = typeof transcript === 'string' ? parseVtt(transcript) : transcript;
    if (typeof transcript === 'string' && cues === undefined) throw new CommandError('The transcript is not WebVTT');
    const files = {
      sound: file === undefined ? undefined : resolveFolder(context, file),
      cover: typeof cover === 'string' ? Buffer.from(cover, 'base64') : cover,
    };
    const set = typeof chapters === 'string' ? writtenChapters(chapters, Number.POSITIVE_INFINITY) : chapters;
    if (set?.length === 0)
      throw new CommandError('The chapters are not lines such as 2:15 The kiss, of which the first begins at 0:00');
    const named = AudioEdit.pick({ chapters: true }).safeParse(set === undefined ? {} : { chapters: set });
    if (!named.success) throw new CommandError(named.error.issues[0]?.message ?? 'The chapters cannot be read');
    const change = { ...edit, ...named.data, ...(transcript !== undefined && { transcript: cues }) };
    // Not for the help.
    const { openFileTools, withSoundEngine } = await import('../files.ts');
    const fileTools = { db: tools.db, ...(await openFileTools(context)) };
    const result = await withSoundEngine({ config: tools.config, blobs: fileTools.blobs }, (engine) =>
      editAudioFiles({ ...fileTools, engine }, viewer, id, change, files),
    );
    if (!result.ok && 'detail' in result) throw new CommandError(`${file} ${result.detail}`);
    if (!result.ok && result.reason === 'unknown-voice')
      throw new CommandError(`There is no voice ${JSON.stringify(result.name)}`);
    if (result.ok && file !== undefined && transcript === undefined)
      context.note('Its transcript stays as it was; where it belongs to the sound before, name another one');
    return stateOf(result as ManagedResult);
  },
});
