import { href, Link } from 'react-router';
import type { Connections } from '#domain/admin/site/system.ts';
import { countOf } from '#formats/numbers.ts';
import { formatAgo } from '#formats/times.ts';
import { Line, Part, SearchPart, storageText, TestLine } from './check-parts.tsx';

type SettingsChecksProps = { connections: NonNullable<Connections>; now: Date };

/** Sections of Settings, for the navigation. */
export function checkSections({ mails, tests }: NonNullable<Connections>) {
  const isBad = (name: string) => tests.some((test) => test.name === name && !test.isOk);
  return [
    { id: 'mail', label: 'Mail', isBad: mails > 0 || isBad('mail') },
    { id: 'storage', label: 'Storage', isBad: isBad('storage') },
    { id: 'search', label: 'Search', isBad: false },
    { id: 'payment', label: 'Payment', isBad: isBad('payment') },
  ];
}

const modeTexts = {
  live: 'Live',
  test: 'Test: Stripe’s test cards only',
  sandbox: 'Demo: no real card is charged',
};

/** Whether the server's settings work. Their values are never shown. */
export function SettingsChecks({ connections: { mails, storage, index, tests, payment }, now }: SettingsChecksProps) {
  const ago = (time: Date) => formatAgo(time.toISOString(), now.getTime());
  return (
    <>
      <Part id="mail" title="Mail" help="Confirmations, receipts, gift cards.">
        <ul className="check-list">
          <TestLine name="mail" label="Connection" tests={tests} ago={ago} />
          <Line
            name="Not sent"
            state={mails === 0 ? 'ok' : 'warn'}
            act={
              mails > 0 && (
                <Link className="link" to={`${href('/admin/system')}#mail`}>
                  Open
                </Link>
              )
            }
          >
            {mails === 0 ? 'None' : countOf(mails, 'mail')}
          </Line>
        </ul>
      </Part>
      <Part id="storage" title="Storage" help="Recordings, listening files, pictures.">
        <ul className="check-list">
          <Line name="Kind" state={storage === undefined ? 'FAIL' : 'ok'}>
            {storage === undefined ? 'It does not answer' : storageText(storage)}
          </Line>
          <TestLine name="storage" label="Write and read" tests={tests} ago={ago} />
        </ul>
      </Part>
      <SearchPart index={index} />
      <Part id="payment" title="Payment" help="Card numbers never reach this site.">
        <ul className="check-list">
          <Line name="Mode" state={payment.mode === 'live' ? 'ok' : 'warn'}>
            {modeTexts[payment.mode]}
          </Line>
          <Line name="Secret key" state="ok">
            {payment.mode === 'sandbox' ? 'Not needed' : 'Set, not shown'}
          </Line>
          <Line name="Webhook" state={payment.lastEventAt === undefined ? 'unknown' : 'ok'}>
            {payment.lastEventAt === undefined
              ? 'No event received yet'
              : `Signed, last event ${ago(payment.lastEventAt)}`}
          </Line>
          <TestLine name="payment" label="Connection" tests={tests} ago={ago} />
        </ul>
      </Part>
    </>
  );
}
