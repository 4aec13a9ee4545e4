import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useState } from 'react';
import { podcastApps } from '#domain/feeds/rules.ts';
import { Button } from '../ui/button.tsx';
import { Field } from '../ui/fields/field.tsx';
import { QrCode } from '../ui/images/qr-code.tsx';

/** The address of a feed, shown once: to copy, to scan, and to open in common apps. */
export function FeedAddress({ address, name }: { address: string; name: string }) {
  const [message, setMessage] = useState('');

  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(address);
      setMessage(t`Copied`);
    } catch {
      setMessage(t`The address could not be copied. Select it and copy it yourself.`);
    }
  }

  return (
    <div className="form">
      <p className="font-medium wrap-anywhere">{name}</p>
      <Field label={t`Address of the feed`} value={address} readOnly onFocus={({ target }) => target.select()} />
      <Button variant="primary" size="lg" width="full" onClick={() => void copy()}>
        {t`Copy address`}
      </Button>
      <output className="block min-h-5 text-14 text-muted">{message}</output>
      <ul className="grid grid-cols-2 gap-2" aria-label={t`Open in an app`}>
        {podcastApps(address).map((app) => (
          <li key={app.name}>
            <Button width="full" render={<a href={app.url}>{app.name}</a>}>
              {app.name}
            </Button>
          </li>
        ))}
      </ul>
      <div className="flex items-center gap-4 max-md:hidden">
        <div className="flex-none">
          <QrCode text={address} label={t`QR code of the address`} />
        </div>
        <p className="text-14 text-muted">
          <Trans>Scan it with the camera of your phone to have the address there.</Trans>
        </p>
      </div>
    </div>
  );
}
