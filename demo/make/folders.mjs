import { mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const makeFolder = dirname(fileURLToPath(import.meta.url));
export const demoFolder = dirname(makeFolder);

/** Work files and the record of what is made already: outside the repository, DEMO_CACHE says where. */
export const cacheFolder = process.env.DEMO_CACHE ?? join(homedir(), '.cache', 'demo-make');
mkdirSync(cacheFolder, { recursive: true });
