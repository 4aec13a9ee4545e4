import { t } from '@lingui/core/macro';
import type { DownloadsSnapshot } from '#offline/downloads.ts';
import { type FailureReason, type DownloadRecord, progressOf } from '#offline/records.ts';
import { formatBytes } from '#web/bytes.ts';

const failures: Record<FailureReason, () => string> = {
  'no-space': () => t`No space left on this device. Remove something, then continue.`,
  network: () => t`The connection was lost. What’s downloaded so far is kept.`,
  refused: () => t`This audio is not available to you any more.`,
  'stream-only': () =>
    t`This audio can be heard, but not downloaded: someone who is heard has not agreed to downloads.`,
  damaged: () => t`The file arrived damaged. Downloading it again.`,
  evicted: () => t`Your browser deleted this file to make room. Downloading it again.`,
};

/** `12.4 MB`, `3.1 MB of 12.4 MB`, or the reason why nothing is stored. */
export function stateText(item: DownloadRecord, { waitsForWifi }: Pick<DownloadsSnapshot, 'waitsForWifi'>): string {
  const { bytes, size } = progressOf(item);
  const amount = size === undefined ? '' : t`${{ loaded: formatBytes(bytes) }} of ${{ total: formatBytes(size) }}`;
  const reason = item.failure === undefined ? '' : failures[item.failure]();
  const withAmount = (text: string) => [text, amount].filter(Boolean).join(' · ');
  switch (item.state) {
    case 'kept':
      return size === undefined ? '' : formatBytes(size);
    case 'loading':
      return withAmount(t`Downloading`);
    case 'waiting':
      return [withAmount(waitsForWifi ? t`Waiting for Wi-Fi` : t`Waiting`), reason].filter(Boolean).join('. ');
    case 'paused':
      return [withAmount(t`Paused`), reason].filter(Boolean).join('. ');
    case 'failed':
      return reason === '' ? t`The download failed.` : reason;
  }
}

/** Reason why nothing plays, or that everything was deleted. */
export function licenceText({ verdict, ended, items }: DownloadsSnapshot): string | undefined {
  if (ended === 'logged-out') return t`You logged out, so the downloads on this device were deleted.`;
  if (ended === 'no-subscription') return t`Your subscription has ended, so the downloads on this device were deleted.`;
  if (ended === 'device-removed') return t`This device was removed from your account, so its downloads were deleted.`;
  if (ended === 'evicted')
    return items.length > 0
      ? t`Your browser deleted the downloads of this device to make room. They are downloaded again.`
      : t`Your browser deleted the downloads of this device to make room. Download them again to keep them.`;
  if (items.length === 0) return undefined;
  if (verdict === 'expired') return t`Your downloads need a connection once every 14 days. Go online to play them.`;
  if (verdict === 'clock-set-back')
    return t`The clock of this device was set back. Go online once to play your downloads.`;
  return undefined;
}
