/** A process that executes one act on many audios, until it is killed. */
import { openDatabase } from '#db/database.ts';
import { runBulkAct } from '#domain/admin/content/bulk-acts.ts';

const [url = '', id = ''] = process.argv.slice(2);
const database = openDatabase({ url, poolSize: 1 });
await runBulkAct(database.db, id);
await database.close();
