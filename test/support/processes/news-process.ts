/** A process that notifies the followers of one audio, until it is killed. */
import { openDatabase } from '#db/database.ts';
import { notifyFollowers } from '#domain/notifications/fan-out.ts';

const [url = '', audioId = '', atOnce = '50'] = process.argv.slice(2);
const database = openDatabase({ url, poolSize: 1 });
await notifyFollowers(database.db, audioId, { atOnce: Number(atOnce) });
await database.close();
