import type { DownloadsSnapshot } from '#offline/downloads.ts';
import { type FailureReason, type DownloadRecord, progressOf } from '#offline/records.ts';
import { formatBytes } from '#web/bytes.ts';

const failures: Record<FailureReason, string> = {
  'no-space': 'No space left on this device. Remove something, then continue.',
  network: 'The connection was lost. What’s downloaded so far is kept.',
  refused: 'This audio is not available to you any more.',
  damaged: 'The file arrived damaged. Downloading it again.',
  evicted: 'Your browser deleted this file to make room. Downloading it again.',
};

/** `12.4 MB`, `3.1 MB of 12.4 MB`, or the reason why nothing is stored. */
export function stateText(item: DownloadRecord, { waitsForWifi }: Pick<DownloadsSnapshot, 'waitsForWifi'>): string {
  const { bytes, size } = progressOf(item);
  const amount = size === undefined ? '' : `${formatBytes(bytes)} of ${formatBytes(size)}`;
  const reason = item.failure === undefined ? '' : failures[item.failure];
  const withAmount = (text: string) => [text, amount].filter(Boolean).join(' · ');
  switch (item.state) {
    case 'kept':
      return size === undefined ? '' : formatBytes(size);
    case 'loading':
      return withAmount('Downloading');
    case 'waiting':
      return [withAmount(waitsForWifi ? 'Waiting for Wi-Fi' : 'Waiting'), reason].filter(Boolean).join('. ');
    case 'paused':
      return [withAmount('Paused'), reason].filter(Boolean).join('. ');
    case 'failed':
      return reason === '' ? 'The download failed.' : reason;
  }
}

/** Reason why nothing plays, or that everything was deleted. */
export function licenceText({ verdict, ended, items }: DownloadsSnapshot): string | undefined {
  if (ended === 'logged-out') return 'You logged out, so the downloads on this device were deleted.';
  if (ended === 'no-subscription') return 'Your subscription has ended, so the downloads on this device were deleted.';
  if (ended === 'device-removed') return 'This device was removed from your account, so its downloads were deleted.';
  if (ended === 'evicted') {
    const next = items.length > 0 ? 'They are downloaded again.' : 'Download them again to keep them.';
    return `Your browser deleted the downloads of this device to make room. ${next}`;
  }
  if (items.length === 0) return undefined;
  if (verdict === 'expired') return 'Your downloads need a connection once every 14 days. Go online to play them.';
  if (verdict === 'clock-set-back')
    return 'The clock of this device was set back. Go online once to play your downloads.';
  return undefined;
}
