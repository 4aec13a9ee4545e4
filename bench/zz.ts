import { readFirstLoads } from './first-load.ts';
for (const l of await readFirstLoads()) console.log(l.kind, l.route, l.scriptBytes, l.styleBytes, l.scripts.length);
