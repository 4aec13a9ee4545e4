/** A process of the site that only imports a feed and processes its files, until it is killed or the import is done. */
import { openDatabase } from '#db/database.ts';
import { importFeed } from '#domain/studio/feed-imports/run-import.ts';
import { openCovers } from '#gateways/covers.ts';
import { openDiskBlobs } from '#gateways/disk-blobs.ts';
import { openArchives } from '#gateways/archives/open-archive.ts';
import { openWeb } from '#gateways/web/open-web.ts';
import { readFeed } from '#gateways/web/read-feed.ts';
import { openSound } from '#start/open-sound.ts';
import { mailInto } from '../servers/mail-box.ts';
import { onlyOldHost } from '../servers/old-host.ts';
import { findWaitingUploads, processUpload } from '#domain/studio/uploads/process-upload.ts';

const [url = '', dataDir = '', blobDir = '', importId = '', port = ''] = process.argv.slice(2);
const database = openDatabase({ url, poolSize: 4 });
const { db } = database;
const blobs = openDiskBlobs({ dir: blobDir });
const { engine, release } = openSound({ config: { dataDir }, blobs });
const web = openWeb(onlyOldHost(Number(port)));
let processing: Promise<unknown> = Promise.resolve();
const process_ = (id: string) => (processing = processing.then(() => processUpload({ db, blobs, engine }, id)));
process.stdout.write('started\n');
for (const { id } of await findWaitingUploads({ db, engine })) void process_(id);
await importFeed(
  {
    db,
    blobs,
    web,
    readFeed,
    openArchive: openArchives({ blobs }),
    covers: openCovers(),
    mail: mailInto([]),
    site: { name: 'Sotto', url: 'https://sotto.example' },
    addJobs: async (_name, ids) => ids.forEach((id) => void process_(id)),
    pauseMs: 50,
  },
  importId,
);
await processing;
release();
await web.close();
await database.close();
process.stdout.write('done\n');
