import { syntheticVoices } from '#domain/catalogue/rules.ts';
import { canonicalLanguage } from '#formats/canonical-language.ts';
import { formatTime } from '#formats/durations.ts';
import { readdir, stat } from 'node:fs/promises';
import { basename, extname, join, relative } from 'node:path';
import { sql } from 'drizzle-orm';
import { findCategory, listCategories } from '#domain/catalogue/categories.ts';
import { listFacets } from '#domain/catalogue/facets/facets.ts';
import type { Db } from '#domain/kernel/db.ts';
import {
  type ImportChoices,
  type ImportedAudio,
  type ImportResult,
  type ImportTools,
  importAudio,
} from '#domain/studio/uploads/import.ts';
import { endsEarlyText } from '#domain/studio/rules.ts';
import { openForCommand } from '#db/command-database.ts';
import { audioExtensions, openAudioTags } from '#gateways/audio-tags.ts';
import { openCovers } from '#gateways/covers.ts';
import { openBlobs } from '#start/open-blobs.ts';
import { withSoundEngine } from './files.ts';
import { keepStandardReview } from '#domain/catalogue/review/settings.ts';
import {
  type Command,
  type CommandContext,
  CommandError,
  countOf,
  formatBytes,
  parseCommandLine,
  resolveFolder,
  UsageError,
} from './command.ts';

export const importCommand: Command = {
  help: `import <folder> [options]

Makes an audio of every MP3, M4A, Ogg, Opus, FLAC and WAV file in a folder and its subfolders, using its tags:
title, artist (the voice), genre (categories), album and track (series and place in it), comment (description),
cover picture. Listeners hear AAC at the loudness of all audios; the file itself is kept too. Missing voices,
categories and series are created. A file that was already imported with the same title is skipped; a broken one is
reported, and the rest continues. Imported audios are drafts until published.

  --voice <slug or name>   the voice of all of them, instead of the artist
  --voice-type <label>     of voices created by the import: "Female voice", "Male voice", "Non-binary voice" (default
                           "Voice")
  --category <slug>        instead of the genres; may be given more than once
  --tag <slug>             of a facet; may be given more than once
  --language <code>        of the audios, such as de or pt-BR, and of voices created by the import (default: the voice’s;
                           zxx: no words)
  --synthetic <how much>   of the voices: none, partly or wholly (default none)
  --free                   anyone may hear them
  --publish                publish them at once
  --dry-run                only print what would be done
  --json                   one JSON object per file`,
  async run(args, context) {
    const { values, positionals } = parseCommandLine(
      args,
      {
        voice: { type: 'string' },
        'voice-type': { type: 'string', default: 'Voice' },
        category: { type: 'string', multiple: true },
        tag: { type: 'string', multiple: true, default: [] },
        language: { type: 'string' },
        synthetic: { type: 'string' },
        free: { type: 'boolean', default: false },
        publish: { type: 'boolean', default: false },
        'dry-run': { type: 'boolean', default: false },
        json: { type: 'boolean', default: false },
      },
      ['<folder>'],
    );
    const voiceTypeLabel = values['voice-type'].trim();
    if (voiceTypeLabel.length < 1 || voiceTypeLabel.length > 60)
      throw new UsageError('--voice-type needs 1 to 60 characters');
    if (values.voice !== undefined && !/[^\p{Cc}\p{Z}]/u.test(values.voice))
      throw new UsageError('--voice needs a slug or a name');
    const language = values.language === undefined ? undefined : canonicalLanguage(values.language);
    if (values.language !== undefined && language === undefined)
      throw new UsageError('--language needs the code of a language, such as de or pt-BR');
    const syntheticVoice = syntheticVoices.find((one) => one === values.synthetic);
    if (values.synthetic !== undefined && syntheticVoice === undefined)
      throw new UsageError(`--synthetic needs ${syntheticVoices.join(', ')}`);
    const config = context.readConfig();
    const folder = resolveFolder(context, positionals[0]);
    const files = await findFiles(folder, context);
    const isDryRun = values['dry-run'];

    const opened = await openForCommand(config, { create: !isDryRun, schema: 'current', note: context.note });
    try {
      const { db } = opened.database;
      const choices: ImportChoices = {
        voice: values.voice,
        voiceTypeLabel,
        categoryIds: values.category === undefined ? undefined : await findCategories(db, values.category),
        tags: await checkTags(db, values.tag),
        language,
        syntheticVoice,
        isFree: values.free,
        publish: values.publish,
      };
      if (!isDryRun) await keepStandardReview(db, config.isOnlyLocal);
      const blobs = await openBlobs(config);
      const tools = { audioTags: openAudioTags(), covers: openCovers() };
      const report = createReport(context, { folder, isDryRun, isJson: values.json, ...choices });
      if (isDryRun) await tryAll({ db, blobs, ...tools, isDryRun }, files, choices, report);
      else
        await withSoundEngine({ config, blobs, directUrl: opened.url }, (engine) =>
          importAll({ db, blobs, ...tools, engine }, files, choices, report),
        );
      return report.finish(files.length);
    } finally {
      await opened.close();
    }
  },
};

type Report = { file(path: string, result: ImportResult): void; finish(files: number): number };

async function importAll(tools: ImportTools, files: string[], choices: ImportChoices, report: Report): Promise<void> {
  for (const path of files) report.file(path, await importAudio(tools, path, titleOf(path), choices));
}

class DryRunEnds extends Error {}

/** Imports all files in one transaction and rolls it back, so that a second file of a new voice finds that voice. */
async function tryAll(
  { db, ...tools }: ImportTools,
  files: string[],
  choices: ImportChoices,
  report: Report,
): Promise<void> {
  const done = new DryRunEnds();
  try {
    await db.transaction(async (tx) => {
      // Reading a long recording leaves the transaction idle.
      await tx.execute(sql`set local idle_in_transaction_session_timeout = 0`);
      await importAll({ db: tx, ...tools }, files, choices, report);
      throw done;
    });
  } catch (error) {
    if (error !== done) throw error;
  }
}

async function findCategories(db: Db, slugs: string[]): Promise<string[]> {
  const found = await Promise.all(
    [...new Set(slugs)].map(async (slug) => ({ slug, category: await findCategory(db, slug) })),
  );
  const missing = found.find(({ category }) => category === undefined);
  if (missing !== undefined) {
    const known = (await listCategories(db)).map(({ slug }) => slug).join(', ');
    throw new CommandError(
      `There is no category ${JSON.stringify(missing.slug)}; ${known === '' ? 'there are none yet' : `there are: ${known}`}`,
    );
  }
  return found.flatMap(({ category }) => category?.id ?? []);
}

/** An import would leave out what it cannot give to each audio. @returns the slugs */
async function checkTags(db: Db, slugs: string[]): Promise<string[]> {
  const facets = await listFacets(db);
  const chosen = slugs.map((slug) => ({
    slug,
    facet: facets.find(({ tags }) => tags.some((tag) => tag.slug === slug)),
  }));
  for (const [at, { slug, facet }] of chosen.entries()) {
    if (facet === undefined) throw new CommandError(`There is no tag ${JSON.stringify(slug)} in a facet`);
    if (facet.chooses === 'one' && chosen.some((other, place) => place < at && other.facet === facet))
      throw new CommandError(`An audio has one tag of ${facet.label} at most`);
  }
  return slugs;
}

/** Natural order: 2 before 10. Skips hidden files, which are leftovers of other programs. */
async function findFiles(folder: string, context: CommandContext): Promise<string[]> {
  const files: string[] = [];
  let others = 0;
  const compare = new Intl.Collator('en', { numeric: true }).compare;
  async function walk(path: string): Promise<void> {
    const entries = await readdir(path, { withFileTypes: true });
    for (const entry of entries.toSorted((a, b) => compare(a.name, b.name) || (a.name < b.name ? -1 : 1))) {
      if (entry.name.startsWith('.')) continue;
      const inner = join(path, entry.name);
      // Linked folders may form a cycle; linked files are safe.
      if (entry.isDirectory())
        await walk(inner).catch((error: NodeJS.ErrnoException) =>
          context.note(`left out: ${relative(folder, inner)} cannot be read (${error.code})`),
        );
      else if (audioExtensions.has(extname(entry.name).toLowerCase())) files.push(inner);
      else others += 1;
    }
  }
  const found = await stat(folder).catch((error: NodeJS.ErrnoException) => {
    throw new CommandError(
      error.code === 'ENOENT' ? `There is no folder ${folder}` : `${folder} cannot be read (${error.code})`,
    );
  });
  if (!found.isDirectory()) throw new CommandError(`${folder} is not a folder`);
  await walk(folder);
  if (files.length === 0) throw new CommandError(`There are no sound files in ${folder}`);
  if (others > 0) context.note(`${countOf(others, 'other file')} left out, by name no sound.`);
  return files;
}

/** The file's name, without a number in front: `07 - A_Letter.mp3` is "A Letter". */
function titleOf(path: string): string {
  const name = basename(path, extname(path)).replaceAll('_', ' ').trim();
  return name.replace(/^(?:\d{1,3}\s*[-.)]\s*|0\d{1,2}\s+)(?=\S)/, '');
}

const notes: Partial<Record<ImportedAudio['extension'], string>> = {
  '.wav': 'kept as WAV, which every browser plays and which costs listeners ten times the data of an MP3',
  '.flac': 'kept as FLAC, which every browser plays and which costs listeners five times the data of an MP3',
  '.ogg': 'kept as Ogg, which Safari plays only from version 18.4 on',
  '.opus': 'kept as Ogg, which Safari plays only from version 18.4 on',
};

function createReport(
  context: CommandContext,
  options: { folder: string; isDryRun: boolean; isJson: boolean; publish: boolean },
): Report {
  const counts = { added: 0, skipped: 0, failed: 0 };
  return {
    file(path, result) {
      const name = relative(options.folder, path);
      const outcome = result.ok ? 'added' : result.reason === 'already-there' ? 'skipped' : 'failed';
      counts[outcome] += 1;
      if (options.isJson) {
        context.print(
          JSON.stringify({
            file: name,
            outcome,
            ...(result.ok
              ? result.audio
              : {
                  reason: result.reason,
                  ...('detail' in result && { detail: result.detail }),
                  ...('slug' in result && { slug: result.slug }),
                }),
          }),
        );
        return;
      }
      if (result.ok) {
        for (const line of describeAdded(name, result.audio)) context.print(line);
        return;
      }
      if (result.reason === 'already-there') context.print(`skipped ${name}: it is there already, as ${result.slug}`);
      else if (result.reason === 'no-voice')
        context.note(`failed  ${name}: its tags name no artist; say whose voice it is with --voice`);
      else context.note(`failed  ${name}: it ${result.detail}`);
    },
    finish(files) {
      const { added, skipped, failed } = counts;
      if (!options.isJson) {
        context.print(
          `${options.isDryRun ? 'Nothing was changed. It would be: ' : ''}${added} added, ${skipped} skipped, ${failed} failed, of ${countOf(files, 'file')}.`,
        );
        if (added > 0 && !options.publish && !options.isDryRun)
          context.print('They are drafts; bring them out with npm run sotto -- audios publish <slug>.');
      }
      return failed > 0 ? 1 : 0;
    },
  };
}

function describeAdded(name: string, audio: ImportedAudio): string[] {
  const made = [
    ...(audio.voice.isNew ? [`the voice ${audio.voice.slug}`] : []),
    ...(audio.series?.isNew ? [`the series ${audio.series.slug}`] : []),
    ...audio.newCategories.map((slug) => `the category ${slug}`),
  ];
  const note = notes[audio.extension];
  return [
    `added   ${name}: ${audio.slug}, "${audio.title}" by ${audio.voice.name}, ${formatTime(audio.numberDuration)}, ${formatBytes(audio.bytes)}`,
    ...(made.length > 0 ? [`        new: ${made.join(', ')}`] : []),
    ...(audio.cover === 'not-decodable' ? ['        its cover picture cannot be read and was left out'] : []),
    ...(audio.missingSeconds === undefined ? [] : [`        ${endsEarlyText(audio.missingSeconds)}`]),
    ...(note === undefined ? [] : [`        ${note}`]),
    ...(audio.unpublished === undefined ? [] : [`        ${unpublishedText(audio.unpublished)}`]),
  ];
}

function unpublishedText(why: NonNullable<ImportedAudio['unpublished']>): string {
  if (why.reason === 'in-review') return 'it waits for a review';
  if (why.reason === 'missing-facet')
    return `it is a draft: give it a tag of ${why.facets.join(', ')} (--tag), then publish it`;
  return `it is a draft: publishing was refused (${'gap' in why ? why.gap : why.reason})`;
}
