import { randomUUID } from 'node:crypto';
import { constants, mkdirSync, realpathSync } from 'node:fs';
import {
  chmod,
  copyFile,
  link,
  mkdir,
  open,
  readdir,
  realpath,
  rename,
  rm,
  stat,
  unlink,
  type FileHandle,
} from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import type { BlobInfo, Blobs, ByteRange } from '#domain/gateways.ts';
import { hashFile, syncFolder } from './local-files.ts';

/** Segments never begin with a dot, so no key reaches `.`, `..`, a hidden file or a half-written one. */
const keyPattern = /^(?!.*\.\.)(?=.{1,200}$)[a-z0-9_-][a-z0-9._-]*(?:\/[a-z0-9_-][a-z0-9._-]*)*$/;

const incoming = '.incoming';
const abandonedAfterMs = 24 * 60 * 60 * 1000;

/** Chunk size for a reader without its own buffer. */
const chunkBytes = 128 * 1024;

export function isBlobKey(key: string): boolean {
  return keyPattern.test(key);
}

/** Blobs as files below `dir`, which is created when missing. Several processes may share the folder. */
export function openDiskBlobs({ dir }: { dir: string }): Blobs {
  mkdirSync(join(dir, incoming), { recursive: true });
  const root = realpathSync(dir);
  const incomingDir = join(root, incoming);
  // Half-written files of killed processes; younger files may belong to a process that is still writing. A failed
  // cleanup must not prevent the start.
  removeAbandoned(incomingDir).catch(() => {});

  /** The real path, or `undefined` when nothing exists or a link leads outside. */
  async function locate(path: string): Promise<string | undefined> {
    const real = await realpath(path).catch(absent);
    return real !== undefined && (real === root || real.startsWith(root + sep)) ? real : undefined;
  }

  async function statBlob(key: string): Promise<BlobInfo | undefined> {
    if (!isBlobKey(key)) return undefined;
    const path = await locate(join(root, key));
    const found = path === undefined ? undefined : await stat(path).catch(absent);
    return found?.isFile() ? { key, bytes: found.size, modifiedAt: found.mtime } : undefined;
  }

  /** Creates the folders of a key one by one, so that nothing is created behind a link. */
  async function makeFolder(key: string): Promise<string> {
    let folder = root;
    for (const segment of key.split('/').slice(0, -1)) {
      const parent = folder;
      folder = join(parent, segment);
      const made = await mkdir(folder).then(
        () => true,
        (error: NodeJS.ErrnoException) => {
          if (error.code === 'EEXIST') return false;
          throw error;
        },
      );
      if (made) await syncFolder(parent);
      if ((await locate(folder)) === undefined) throw new Error(`The folder of blob ${key} leads outside`);
    }
    return folder;
  }

  async function put(key: string, fill: (temporary: string) => Promise<void>): Promise<BlobInfo> {
    if (!isBlobKey(key)) throw new TypeError(`Not a blob key: ${JSON.stringify(key)}`);
    await makeFolder(key);
    await replaceFile(join(root, key), incomingDir, fill);
    const info = await statBlob(key);
    if (!info) throw new Error(`Blob ${key} was removed while it was written`);
    return info;
  }

  return {
    stat: statBlob,

    read(key, range) {
      return readFileStream(async () => {
        const path = isBlobKey(key) ? await locate(join(root, key)) : undefined;
        if (path === undefined) throw new Error(`No blob ${JSON.stringify(key)}`);
        return open(path, 'r');
      }, range);
    },

    write(key, content, expected) {
      return put(key, async (temporary) => {
        const file = await open(temporary, 'wx');
        try {
          await file.writeFile(content);
        } finally {
          await file.close();
        }
        if (expected !== undefined && (await hashFile(temporary)) !== expected)
          throw new Error(`The content of blob ${key} is not the expected one`);
      });
    },

    importFile(key, path, { mayLink = false } = {}) {
      return put(key, async (temporary) => {
        if (mayLink && (await isLinked(path, temporary))) return;
        await copyFile(path, temporary, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
        // A copy has the source's mode, and a read-only file cannot be opened for syncing.
        await chmod(temporary, 0o644);
      });
    },

    async remove(key) {
      if (!isBlobKey(key)) return;
      const folder = await locate(dirname(join(root, key)));
      if (folder !== undefined) await unlink(join(folder, key.slice(key.lastIndexOf('/') + 1))).catch(absent);
    },

    localPath: async (key) => (isBlobKey(key) ? locate(join(root, key)) : undefined),

    async *list(prefix) {
      const folder = prefix.slice(0, prefix.lastIndexOf('/') + 1);
      if (folder !== '' && !isBlobKey(folder.slice(0, -1))) return;
      yield* walk(folder, prefix);
    },
  };

  /** Depth first, sorted by name; linked folders are skipped, so that there are no cycles. */
  async function* walk(folder: string, prefix: string): AsyncGenerator<BlobInfo> {
    const path = await locate(join(root, folder));
    const entries = path === undefined ? undefined : await readdir(path, { withFileTypes: true }).catch(absent);
    if (!entries) return;
    for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
      const key = folder + entry.name;
      if (!isBlobKey(key)) continue;
      if (entry.isDirectory()) {
        if (`${key}/`.startsWith(prefix) || prefix.startsWith(`${key}/`)) yield* walk(`${key}/`, prefix);
      } else if (key.startsWith(prefix)) {
        const info = await statBlob(key);
        if (info) yield info;
      }
    }
  }
}

/** @returns false when the file system cannot: another disk, or no support for links */
async function isLinked(path: string, to: string): Promise<boolean> {
  return link(path, to).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT' || error.code === 'ENOSPC') throw error;
      return false;
    },
  );
}

/**
 * Puts a file in place as a whole: `fill` writes a temporary file in `temporaryDir` (same file system), which is synced
 * and renamed; afterwards the new content is on disk. A failure leaves the old file as it was.
 */
export async function replaceFile(
  path: string,
  temporaryDir: string,
  fill: (temporary: string) => Promise<void>,
): Promise<void> {
  const temporary = join(temporaryDir, randomUUID());
  try {
    await fill(temporary);
    const file = await open(temporary, 'r+');
    try {
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  await syncFolder(dirname(path));
}

/**
 * A byte stream, so that a reader may bring its own buffer and use it again. It opens the file on the first read and
 * never earlier: a stream nobody reads holds no file descriptor.
 */
function readFileStream(openFile: () => Promise<FileHandle>, range: ByteRange | undefined): ReadableStream<Uint8Array> {
  let file: FileHandle | undefined;
  let cancelled = false;
  let position = range?.start ?? 0;
  const end = range ? range.end + 1 : Number.POSITIVE_INFINITY;

  async function close(): Promise<void> {
    const closing = file;
    file = undefined;
    await closing?.close();
  }

  return new ReadableStream({
    type: 'bytes',
    autoAllocateChunkSize: chunkBytes,
    async pull(controller) {
      try {
        file ??= await openFile();
        const request = controller.byobRequest;
        if (cancelled || !request?.view) return await close();
        const { buffer, byteOffset, byteLength } = request.view;
        const { bytesRead } = await file.read(
          new Uint8Array(buffer, byteOffset, Math.min(byteLength, end - position)),
          { position },
        );
        if (cancelled) return;
        if (bytesRead === 0 && range) throw new Error(`The blob ends at byte ${position}, before the range does`);
        position += bytesRead;
        const last = bytesRead === 0 || position >= end;
        // Closed before the bytes are delivered, because the reader may request more at once.
        if (last) await close();
        if (bytesRead > 0) request.respond(bytesRead);
        if (last) controller.close();
        if (bytesRead === 0) request.respond(0);
      } catch (error) {
        await close();
        if (!cancelled) throw error;
      }
    },
    async cancel() {
      cancelled = true;
      await close();
    },
  });
}

async function removeAbandoned(dir: string): Promise<void> {
  const names = await readdir(dir).catch(absent);
  for (const name of names ?? []) {
    const path = join(dir, name);
    const found = await stat(path).catch(absent);
    if (found && Date.now() - found.mtimeMs > abandonedAfterMs) await rm(path, { force: true });
  }
}

const absences = new Set(['ENOENT', 'ENOTDIR', 'ELOOP', 'ENAMETOOLONG']);

/** Turns "there is no such file" into `undefined`; other failures (no permission, disk trouble) are thrown. */
function absent(error: NodeJS.ErrnoException): undefined {
  if (!absences.has(error.code ?? '')) throw error;
}
