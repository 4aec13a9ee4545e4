import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import Smartphone from 'lucide-react/icons/smartphone';
import { type MouseEvent, useState } from 'react';
import type { QrPath } from '#formats/qr-path.ts';
import { ownPrefix, useRootData } from '../root-data.ts';
import { answerOf, api } from '../api.ts';
import { Icon } from '../ui/images/icon.tsx';
import { Note } from '../ui/note.tsx';
import type { AgePage } from './age-page.ts';
import { Countdown, EndButton } from './request-time.tsx';
import { useProofState } from './use-proof-state.ts';

type WalletWayProps = { wallet: NonNullable<AgePage['wallet']>; to: string; seconds: number };

/** A QR code for another device, and a button for this one. */
export function WalletWay({ wallet, to, seconds }: WalletWayProps) {
  const { link, code, requests } = wallet;
  const next = `${ownPrefix(useRootData())}/age/waiting?to=${encodeURIComponent(to)}`;
  const { isOver, end } = useProofState(next);
  const [problem, setProblem] = useState<'denied' | 'failed'>();

  /** In the press itself, if the browser asks wallets; otherwise, the link opens an app. */
  async function open(event: MouseEvent): Promise<void> {
    if (!('DigitalCredential' in window)) {
      // The page stays while an app opens, and is not left before the link is followed.
      setTimeout(() => window.location.assign(next), 1000);
      return;
    }
    event.preventDefault();
    setProblem(undefined);
    try {
      const given = await askWallets(requests);
      const answer = await answerOf(api.age.proof.answer.$post({ json: given }));
      if (!answer.ok) return setProblem('failed');
      window.location.assign(next);
    } catch {
      setProblem('denied');
    }
  }

  if (isOver)
    return (
      <div className="age-way__body">
        <div className="age-code" data-over="true">
          <CodePicture {...code} />
        </div>
        <div aria-live="polite">
          <b className="font-semibold">{t`This code has run out`}</b>
          <p className="mt-1 mb-3">{t`Nothing was kept.`}</p>
          <EndButton to={to} label={t`New code`} variant="primary" />
        </div>
      </div>
    );
  return (
    <>
      <div className="age-way__body">
        <div className="age-code max-md:hidden">
          <CodePicture {...code} />
        </div>
        <div>
          <ol className="max-md:hidden">
            <li>{t`Open the app on your phone.`}</li>
            <li>{t`Scan this code.`}</li>
            <li>{t`Allow “over 18”.`}</li>
          </ol>
          <div className="mt-3 mb-4 flex flex-wrap items-center gap-x-2 text-14 text-muted max-md:hidden">
            <Countdown seconds={seconds} onOver={end} />
            <EndButton to={to} label={t`New code`} />
          </div>
          <a className="btn btn--primary btn--wide" href={link} onClick={(event) => void open(event)}>
            <Icon of={Smartphone} size={18} />
            {t`Open wallet on this device`}
          </a>
          {problem && (
            <Note tone="error" className="mt-3">
              {problem === 'denied'
                ? t`You did not allow it. Nothing was kept.`
                : t`The answer could not be checked. Nothing was kept.`}
            </Note>
          )}
        </div>
        <details className="md:hidden">
          <summary className="link">{t`Show a code for another phone`}</summary>
          <div className="age-code mt-3">
            <CodePicture {...code} />
          </div>
        </details>
      </div>
      <noscript>
        <a className="link" href={next}>
          <Trans>Check again</Trans>
        </a>
      </noscript>
    </>
  );
}

/** Dark on light in both themes, because cameras need it. */
function CodePicture({ size, path }: QrPath) {
  return (
    <svg
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={t`QR code for the age verification app`}
      shapeRendering="crispEdges"
    >
      <path d={path} />
    </svg>
  );
}

type Given = { protocol: 'openid4vp-v1-unsigned' | 'org-iso-mdoc'; data: Record<string, unknown> };

/** @throws when a person or a browser refuses */
async function askWallets(requests: NonNullable<AgePage['wallet']>['requests']): Promise<Given> {
  const options = { mediation: 'required', digital: { requests } } as CredentialRequestOptions;
  const given = (await navigator.credentials.get(options)) as unknown as { protocol: string; data: unknown } | null;
  if (given === null) throw new Error('No wallet has answered');
  // Older browsers pass the data on as text.
  const data = (typeof given.data === 'string' ? JSON.parse(given.data) : given.data) as Given['data'];
  return { protocol: given.protocol as Given['protocol'], data };
}
