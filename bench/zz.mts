import { withMillion } from './million-database.ts';
import { addUpTotals } from '#domain/catalogue/totals.ts';
import { numberEpisodes } from '#domain/catalogue/episodes.ts';
await withMillion(async (_s, large) => {
  for (const [name, work] of [['addUpTotals', () => addUpTotals(large.db)], ['numberEpisodes', () => numberEpisodes(large.db)], ['numberEpisodes again', () => numberEpisodes(large.db)]] as const) {
    const t = performance.now();
    try { console.log(name, await work(), Math.round(performance.now() - t), 'ms'); } catch (e) { console.log(name, 'failed', (e as Error).message.slice(0, 600), (e as Error).cause, Math.round(performance.now() - t)); }
  }
});
