/** A process of the site that only processes uploads, until it is killed or none waits. */
import { openDatabase } from '#db/database.ts';
import { findWaitingUploads, processUpload } from '#domain/studio/uploads/process-upload.ts';
import { openDiskBlobs } from '#gateways/disk-blobs.ts';
import { openSound } from '#start/open-sound.ts';

const [url = '', dataDir = '', blobDir = ''] = process.argv.slice(2);
const database = openDatabase({ url, poolSize: 2 });
const blobs = openDiskBlobs({ dir: blobDir });
const { engine, release } = openSound({ config: { dataDir }, blobs });
process.stdout.write('started\n');
const tools = { db: database.db, blobs, engine };
for (const { id } of await findWaitingUploads(tools)) await processUpload(tools, id);
release();
await database.close();
process.stdout.write('done\n');
