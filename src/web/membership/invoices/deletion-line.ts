import { plural } from '@lingui/core/macro';
import type { Site } from '#domain/site.ts';
import { lossLine } from '../wording.ts';

/** Says what the deletion of an account takes and leaves; null for neither. */
export async function deletionLine({ membership }: Pick<Site, 'membership'>, userId: string): Promise<string | null> {
  const [state, years] = await Promise.all([
    membership.findSubscriptionState(userId),
    membership.findKeptYears(userId),
  ]);
  const kept =
    years === null
      ? null
      : plural(years, {
          one: 'The invoices of what you paid are kept for # year, as tax law asks, without your name and email.',
          other: 'The invoices of what you paid are kept for # years, as tax law asks, without your name and email.',
        });
  const lines = [lossLine(state), kept].filter((line) => line !== null);
  return lines.length === 0 ? null : lines.join(' ');
}
