import { plural, t } from '@lingui/core/macro';
import { href, Link } from 'react-router';
import type { Connections } from '#domain/admin/site/system.ts';
import { formatAgo } from '#formats/times.ts';
import { Line, SearchPart, storageText, TestLine } from './check-parts.tsx';
import { Part } from '#web/workshop/forms/settings-part.tsx';

type SettingsChecksProps = { connections: NonNullable<Connections>; now: Date };

/** Sections of Settings, for the navigation. */
export function checkSections({ mails, tests }: NonNullable<Connections>) {
  const isBad = (name: string) => tests.some((test) => test.name === name && !test.isOk);
  return [
    { id: 'mail', label: t`Mail`, isBad: mails > 0 || isBad('mail') },
    { id: 'storage', label: t`Storage`, isBad: isBad('storage') },
    { id: 'search', label: t`Search`, isBad: false },
    { id: 'payment', label: t`Payment`, isBad: isBad('payment') },
  ];
}

const modeTexts = {
  live: () => t({ message: 'Live', context: 'payments' }),
  test: () => t`Test: Stripe’s test cards only`,
  sandbox: () => t`Demo: no real card is charged`,
};

/** Whether the server's settings work. Their values are never shown. */
export function SettingsChecks({ connections: { mails, storage, index, tests, payment }, now }: SettingsChecksProps) {
  const ago = (time: Date) => formatAgo(time.toISOString(), now.getTime());
  return (
    <>
      <Part id="mail" title={t`Mail`} help={t`Confirmations, receipts, gift cards.`}>
        <ul className="check-list">
          <TestLine name="mail" label={t`Connection`} tests={tests} ago={ago} />
          <Line
            name={t`Not sent`}
            state={mails === 0 ? 'ok' : 'warn'}
            act={
              mails > 0 && (
                <Link className="link" to={`${href('/admin/system')}#mail`}>
                  {t`Open`}
                </Link>
              )
            }
          >
            {mails === 0 ? t`None` : plural(mails, { one: '# mail', other: '# mails' })}
          </Line>
        </ul>
      </Part>
      <Part id="storage" title={t`Storage`} help={t`Recordings, listening files, pictures.`}>
        <ul className="check-list">
          <Line name={t`Kind`} state={storage === undefined ? 'FAIL' : 'ok'}>
            {storage === undefined ? t`It does not answer` : storageText(storage)}
          </Line>
          <TestLine name="storage" label={t`Write and read`} tests={tests} ago={ago} />
        </ul>
      </Part>
      <SearchPart index={index} />
      <Part id="payment" title={t`Payment`} help={t`Card numbers never reach this site.`}>
        <ul className="check-list">
          <Line name={t`Mode`} state={payment.mode === 'live' ? 'ok' : 'warn'}>
            {modeTexts[payment.mode]()}
          </Line>
          <Line name={t`Secret key`} state="ok">
            {payment.mode === 'sandbox' ? t`Not needed` : t`Set, not shown`}
          </Line>
          <Line name={t`Webhook`} state={payment.lastEventAt === undefined ? 'unknown' : 'ok'}>
            {payment.lastEventAt === undefined
              ? t`No event received yet`
              : t`Signed, last event ${{ ago: ago(payment.lastEventAt) }}`}
          </Line>
          <TestLine name="payment" label={t`Connection`} tests={tests} ago={ago} />
        </ul>
      </Part>
    </>
  );
}
