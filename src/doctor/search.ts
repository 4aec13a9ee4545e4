import { compareIndex } from '#domain/search/index-feed.ts';
import { countOf, formatCount } from '#formats/numbers.ts';
import type { StoredSite } from './database.ts';
import type { Report } from './report.ts';

/** Every row that can be found has its document, and every document its row. */
export async function checkSearchIndex({ config, opened }: StoredSite, report: Report): Promise<void> {
  if (config.algolia !== undefined) return report('ok', 'Search index', 'at Algolia');
  const { documents, missing, extra, isWaiting } = await compareIndex(opened.database.primary);
  const found = countOf(documents, 'entry', 'entries');
  if (missing + extra === 0) return report('ok', 'Search index', found);
  if (isWaiting) return report('ok', 'Search index', `${found}; the running site still writes changes`);
  const wrong = `${formatCount(missing)} are missing, and ${formatCount(extra)} should not be there`;
  report('FAIL', 'Search index', `${found}, but ${wrong}; rebuild it with npm run sotto -- reindex`);
}
