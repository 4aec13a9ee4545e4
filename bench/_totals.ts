import { openDatabase } from '#db/database.ts';
import { addUpTotals } from '#domain/catalogue/totals.ts';
const d = openDatabase({ url: process.argv[2] ?? '', poolSize: 4 });
const t = performance.now();
await addUpTotals(d.db);
console.log((performance.now() - t) / 1000);
await d.close();
