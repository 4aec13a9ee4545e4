import { BaseSequencer } from 'vitest/node';
import type { TestSpecification } from 'vitest/node';

/** Files that run for more than half a minute; the longest first. */
const long = [
  'test/e2e/pages.e2e.ts',
  'test/e2e/membership-subscribe.e2e.ts',
  'test/e2e/membership-account.e2e.ts',
  'test/e2e/library-playlists.e2e.ts',
  'src/cli/cli.test.ts',
  'src/db/backup.test.ts',
  'src/db/embedded-server.test.ts',
];

/** A long file that starts last would keep one worker busy while the other has nothing left. */
export class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const rank = ({ moduleId }: TestSpecification) => {
      const index = long.findIndex((path) => moduleId.endsWith(`/${path}`));
      return index === -1 ? long.length : index;
    };
    return sorted.toSorted((a, b) => rank(a) - rank(b));
  }
}
