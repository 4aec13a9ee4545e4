import { openSource, Refused } from '#gateways/sound/source.ts';
import type { ReadSound } from './sounds.ts';

/** Reads each file whole, as the program of the sound engine does, and prints what it found. */
const found: ReadSound[] = [];
for (const path of process.argv.slice(2)) found.push(await read(path));
process.stdout.write(JSON.stringify(found));
process.exit(0);

async function read(path: string): Promise<ReadSound> {
  try {
    const source = openSource(path, { minSeconds: 1 });
    try {
      for await (const _frame of source.frames());
      return { seconds: Math.round(source.seconds() * 10) / 10, missing: source.missingSeconds() ?? null };
    } finally {
      source.close();
    }
  } catch (error) {
    if (error instanceof Refused) return { refused: error.reason };
    throw error;
  }
}
