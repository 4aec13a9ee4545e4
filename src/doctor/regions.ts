import type { Config } from '#config';
import { openRegionDatabase } from '#start/region-database.ts';
import { type Report, reportOn } from './report.ts';

/** Networks move between countries. */
const maxDays = 60;
const dayMs = 24 * 60 * 60 * 1000;

export function checkRegionDatabase({ regionDatabase }: Config, report: Report): void {
  if (regionDatabase === undefined) return;
  const part = reportOn('REGION_DATABASE', report);
  try {
    const { kind, builtAt } = openRegionDatabase(regionDatabase);
    const values = { kind, day: builtAt.toISOString().slice(0, 10), days: maxDays };
    if (Date.now() - builtAt.getTime() <= maxDays * dayMs)
      part.ok(/*i18n*/ { id: 'doctor.regions', message: '{kind} of {day}', values });
    else
      part.warn(
        /*i18n*/ {
          id: 'doctor.regions.old',
          message: '{kind} of {day} is older than {days} days; put a new file in its place, and restart the site',
          values,
        },
      );
  } catch {
    part.fail(
      /*i18n*/ {
        id: 'doctor.regions.unreadable',
        message: '{path} cannot be read, or is no MMDB file; without it, the site does not start',
        values: { path: regionDatabase },
      },
    );
  }
}
