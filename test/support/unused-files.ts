import { sql } from 'drizzle-orm';
import { type FileTools, removeUnusedFiles } from '#domain/stored-files.ts';

/** Lets two days pass for all files, and removes what nothing names. @returns the number of removed files */
export async function removeAfterTwoDays(tools: FileTools): Promise<number> {
  await tools.db.execute(sql`update stored_files set since = since - interval '49 hours' where state <> 'kept'`);
  return removeUnusedFiles(tools);
}
