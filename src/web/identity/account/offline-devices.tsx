import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useEffect, useState } from 'react';
import { answerOf, api } from '../../api.ts';
import { useToast } from '../../ui/layers/toast.tsx';
import { formatLastUse } from '#formats/last-use.ts';
import { deviceName } from './device-name.ts';
import { DeviceRow } from './device-row.tsx';

type Device = { id: string; device: string; renewedAt: string; isCurrent: boolean };

/** Devices with downloads, below their sessions. Renders nothing without any. */
export function OfflineDevices() {
  const showToast = useToast();
  const [listed, setListed] = useState<{ limit: number; items: Device[] }>();
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    void answerOf(api.user['offline-devices'].$get({}, { init: { signal } })).then((answer) => {
      if (!signal.aborted && answer.ok) setListed(answer.data);
    });
    return () => controller.abort();
  }, []);
  if (listed === undefined || listed.items.length === 0) return null;
  const { limit, items } = listed;
  const count = items.length;

  async function remove({ id, device: stored }: Device): Promise<void> {
    const device = deviceName(stored);
    const answer = await answerOf(api.user['offline-devices'][':id'].$delete({ param: { id } }));
    // Not found: already removed.
    if (!answer.ok && answer.code !== 'request/not-found') return showToast({ text: answer.message });
    setListed((before) => before && { ...before, items: before.items.filter((one) => one.id !== id) });
    showToast({ text: t`${device} deletes its downloads when it is next online` });
  }

  return (
    <section className="mt-10" aria-labelledby="offline-devices">
      <h2 id="offline-devices" className="text-22">
        <Trans>Devices with downloads</Trans>
      </h2>
      <p className="mt-1 text-muted">{t`${count} of ${limit}. Logging out of a device deletes its downloads too.`}</p>
      <ul className="details">
        {items.map((item) => {
          const { id } = item;
          const device = deviceName(item.device);
          const lastOnline = formatLastUse(item.renewedAt);
          return (
            <DeviceRow key={id} {...item} device={device} facts={t`Last online ${lastOnline}`}>
              <button
                type="button"
                className="link"
                aria-label={t`Remove downloads of ${device}, last online ${lastOnline}`}
                onClick={() => void remove(item)}
              >
                <Trans>Remove downloads</Trans>
              </button>
            </DeviceRow>
          );
        })}
      </ul>
    </section>
  );
}
