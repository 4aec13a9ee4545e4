import { type TestSpecification, BaseSequencer } from 'vitest/node';

/** The slowest files of `test:all`, the slowest first. */
const long = [
  'test/e2e/engines.e2e.ts',
  'test/e2e/forced-colors.e2e.ts',
  'test/e2e/pages.e2e.ts',
  'test/e2e/cluster.e2e.ts',
  'test/e2e/studio/editor.e2e.ts',
  'test/e2e/admin/admin.e2e.ts',
  'test/e2e/membership/subscribe.e2e.ts',
  'test/e2e/membership/account.e2e.ts',
  'test/e2e/admin/lists.e2e.ts',
  'test/e2e/admin/audios.e2e.ts',
  'test/e2e/studio/uploads.e2e.ts',
  'test/e2e/community-comments.e2e.ts',
  'test/e2e/admin/words.e2e.ts',
  'test/e2e/studio/comments.e2e.ts',
  'src/domain/membership/sync/money-storm.test.ts',
  'src/gateways/sound/sound-engine.test.ts',
  'src/db/backup.test.ts',
  'src/cli/cli.test.ts',
  'src/domain/admin/content/hide-voice.test.ts',
  'src/domain/studio/uploads/process-upload.test.ts',
  'test/install.test.ts',
  'test/storage/object-storage.test.ts',
  'src/domain/studio/uploads/process-upload-kill.test.ts',
  'src/http/api/authorization.test.ts',
  'src/db/many-rows.test.ts',
  'src/domain/membership/payment-provider.test.ts',
  'src/db/unavailable.test.ts',
  'src/domain/admin/content/bulk-acts.test.ts',
  'src/api/progress-kill.test.ts',
  'src/domain/membership/stated-prices.test.ts',
  'src/api/account/membership.test.ts',
  'test/house/many-processes.test.ts',
  'src/db/embedded/server.test.ts',
];

/** A slow file that starts last would keep one worker busy while the other is idle. */
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
