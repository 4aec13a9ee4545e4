import { createHash } from 'node:crypto';
import type { BlobInfo, Blobs } from '#domain/gateways.ts';
import { StorageError } from '#gateways/s3-failure.ts';
import { openLocalBlobs, openRemoteBlobs } from '#start/open-blobs.ts';
import {
  type Command,
  type CommandContext,
  CommandError,
  countOf,
  formatBytes,
  parseCommandLine,
  UsageError,
} from './command.ts';

const places = ['disk', 's3'] as const;
type Place = (typeof places)[number];

export const storageCommand: Command = {
  help: `storage copy --from disk|s3 --to s3|disk

Copies every audio and image file from DATA_DIR into the bucket of S3_BUCKET, or back, while the site runs or is
stopped. Existing files with the same content are skipped, so an interrupted copy continues where it stopped. Each
file is compared by its SHA-256, and nothing is deleted.

To move a site: run it with the S3 settings in this command's environment only, then restart the site with them, then
run
it once more for what was added meanwhile.`,
  async run(args, context) {
    const { values, positionals } = parseCommandLine(args, { from: { type: 'string' }, to: { type: 'string' } }, [
      'copy',
    ]);
    if (positionals[0] !== 'copy') throw new UsageError(`${JSON.stringify(positionals[0])} is not known here`);
    const [from, to] = [readPlace('--from', values.from), readPlace('--to', values.to)];
    if (from === to) throw new UsageError('--from and --to name the same place');
    const source = await openPlace(from, context);
    const target = await openPlace(to, context);
    const { copied, same, bytes, failed } = await copyAll(source, target, context).catch((error: unknown) => {
      if (error instanceof StorageError)
        throw new CommandError(`${error.explanation}; run it again to continue from here`);
      throw error;
    });
    context.print(
      `Copied ${countOf(copied, 'file')} (${formatBytes(bytes)}) from ${from} to ${to}; ${same} were there already. ${failed === 0 ? 'The contents of all are the same in both' : `${countOf(failed, 'file')} could not be copied`}.`,
    );
    return failed === 0 ? 0 : 1;
  },
};

function readPlace(option: string, value: string | undefined): Place {
  const place = places.find((one) => one === value);
  if (place === undefined) throw new UsageError(`${option} must be disk or s3`);
  return place;
}

async function openPlace(place: Place, context: CommandContext): Promise<Blobs> {
  const config = context.readConfig();
  if (place === 'disk') return openLocalBlobs(config);
  if (config.storage === undefined) throw new CommandError('S3 is not set up: set S3_BUCKET and the other S3 settings');
  return openRemoteBlobs(config.storage);
}

const filesAtOnce = 4;
const progressEveryMs = 5000;

async function copyAll(source: Blobs, target: Blobs, context: CommandContext) {
  const counts = { copied: 0, same: 0, bytes: 0, failed: 0 };
  const seen = new Set<string>();
  let notedAt = Date.now();

  async function copyOne(file: BlobInfo): Promise<void> {
    try {
      const outcome = await copyFile(source, target, file);
      if (outcome === 'gone') return;
      counts[outcome] += 1;
      if (outcome === 'copied') counts.bytes += file.bytes;
    } catch (error) {
      if (error instanceof StorageError) throw error;
      counts.failed += 1;
      context.note(`failed  ${file.key}: ${(error as Error).message}`);
    }
    if (Date.now() - notedAt < progressEveryMs) return;
    notedAt = Date.now();
    const done = counts.copied + counts.same + counts.failed;
    context.note(`${done} of ${countOf(seen.size, 'file')}, ${formatBytes(counts.bytes)} copied`);
  }

  // Repeats until nothing is new, because the site may add files meanwhile.
  for (;;) {
    const added: BlobInfo[] = [];
    for await (const file of source.list('')) if (!seen.has(file.key)) added.push(file);
    if (added.length === 0) return counts;
    for (const { key } of added) seen.add(key);
    const waiting = added.values();
    const workers = Array.from({ length: filesAtOnce }, async () => {
      for (const file of waiting) await copyOne(file);
    });
    // A failure stops the other workers after their current file.
    await Promise.all(workers).catch(async (error: unknown) => {
      waiting.return?.();
      await Promise.allSettled(workers);
      throw error;
    });
  }
}

/** The first 20 digits of the content's hash, as in the site's file names. */
const hashName = /^(?:.*\/)?([0-9a-f]{20})\.[a-z0-9]+$/;

async function copyFile(source: Blobs, target: Blobs, { key, bytes }: BlobInfo): Promise<'copied' | 'same' | 'gone'> {
  try {
    const sha256 = await hashOf(source, key);
    const named = hashName.exec(key)?.[1];
    if (named !== undefined && !sha256.startsWith(named)) throw new Error('its content does not match its name');
    const there = await target.stat(key);
    if (there?.bytes === bytes && (await hashOf(target, key)) === sha256) return 'same';
    await target.write(key, source.read(key), sha256);
    return 'copied';
  } catch (error) {
    if (error instanceof StorageError || (await source.stat(key)) !== undefined) throw error;
    // Deleted since it was listed.
    return 'gone';
  }
}

/** As stored when the file arrived, otherwise computed from its bytes. */
async function hashOf(blobs: Blobs, key: string): Promise<string> {
  const noted = (await blobs.stat(key))?.sha256;
  if (noted !== undefined) return noted;
  const hash = createHash('sha256');
  for await (const chunk of blobs.read(key)) hash.update(chunk);
  return hash.digest('hex');
}
