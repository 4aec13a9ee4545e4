import { mkdirSync } from 'node:fs';
import { opendir, rm, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { validate } from 'uuid';
import type { Blobs, IncomingFiles } from '#domain/gateways.ts';
import { DiskUploadStore } from './disk-upload-store.ts';
import { hashFile } from './local-files.ts';

/** Free space kept for the database and others: this much, or a twentieth of a smaller disk. */
const reserveBytes = 1024 ** 3;

/** Uploads by the tus protocol, below `dir`: `<id>` and `<id>.json`. Several processes may share it. */
export function openDiskIncomingFiles({ dir, blobs }: { dir: string; blobs: Blobs }) {
  // The store creates it too, but later, and its failure would end the process.
  mkdirSync(dir, { recursive: true });
  const pathOf = (id: string) => {
    if (!validate(id)) throw new TypeError(`Not an id: ${JSON.stringify(id)}`);
    return join(dir, id);
  };
  const datastore = new DiskUploadStore({ directory: dir });
  const received = async (id: string) => (await stat(pathOf(id)).catch(absent))?.size;
  const files: IncomingFiles = {
    received,
    hash: async (id, signal) => datastore.hashOf(id, (await received(id)) ?? 0) ?? hashFile(pathOf(id), signal),
    async keepAs(id, key) {
      await blobs.importFile(key, pathOf(id), { mayLink: true });
    },
    async remove(id) {
      datastore.forget(id);
      await Promise.all([pathOf(id), `${pathOf(id)}.json`].map((path) => rm(path, { force: true })));
    },
    async *list() {
      for await (const entry of await opendir(dir)) {
        const info = validate(entry.name) ? await stat(join(dir, entry.name)).catch(absent) : undefined;
        if (info !== undefined) yield { id: entry.name, changedAt: info.mtime };
      }
    },
    async room() {
      const { bavail, blocks, bsize } = await statfs(dir);
      return Math.max(0, bavail * bsize - Math.min(reserveBytes, (blocks * bsize) / 20));
    },
  };
  return { ...files, datastore, tusId: (id: string) => id };
}

function absent(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}
