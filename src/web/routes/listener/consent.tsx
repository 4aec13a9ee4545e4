import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { data, redirect, Link } from 'react-router';
import { ConsentForm } from '../../consent/consent-form.tsx';
import { ConsentPlayer } from '../../consent/consent-player.tsx';
import { ConsentFacts, WithdrawQuestion } from '../../consent/consent-state.tsx';
import { siteContext } from '../../context.ts';
import { formatTime } from '#formats/durations.ts';
import { formatDateTime } from '#formats/moments.ts';
import { formatDate } from '#formats/times.ts';
import { linkPageMeta } from '../../identity/link-page.tsx';
import { useRootData } from '../../root-data.ts';
import { Button } from '../../ui/button.tsx';
import type { PageHandle } from '../../shell/page-handle.ts';
import type { Route } from './+types/consent';
import '../../styles/consent.css';

/** The performer came for this page alone. */
export const handle: PageHandle = { frame: 'plain' };

const steps = ['answer', 'change', 'withdraw', 'needs', 'name', 'not-me'] as const;

/** A link that has run out has a page, because the site's 404 page does not say how to get a new one. */
export async function loader({ context, params: { token, step: sent } }: Route.LoaderArgs) {
  const { verification } = context.get(siteContext);
  const consent = await verification.findConsent(token);
  if (consent === undefined) return data({ token, step: 'ended' as const, consent: null }, { status: 404 });
  await verification.noteOpened(token);
  const step = steps.find((one) => one === sent);
  const isForm = step === 'change' || step === 'needs' || step === 'name';
  if ((sent !== undefined && step === undefined) || (step === 'withdraw' && consent.state !== 'given'))
    throw redirect(`/consent/${token}`);
  return data({
    token,
    step: step === 'withdraw' || step === 'not-me' ? step : isForm || consent.state === 'asked' ? 'form' : 'state',
    fault: step === 'needs' || step === 'name' ? step : undefined,
    consent,
  } as const);
}

export function meta(args: Route.MetaArgs) {
  return linkPageMeta(args, { title: t`Your consent`, description: t`Your consent to a recording.` });
}

export default function Consent({ loaderData }: Route.ComponentProps) {
  const siteName = useRootData()?.siteName ?? '';
  const { token, consent } = loaderData;
  if (consent === null) return <EndedLink />;
  const { audio } = consent;
  const isAsked = consent.state === 'asked';
  return (
    <div className="wrap">
      <div className="consent">
        <h1 tabIndex={-1}>{titleOf(loaderData.step, consent)}</h1>
        <p className="mt-4 max-w-[42ch] text-18 text-soft">
          {loaderData.step === 'withdraw' || loaderData.step === 'not-me' ? null : isAsked ? (
            <Trans>
              {audio.voiceName} wants to publish it on {siteName} and asks for your agreement. Listen first. No account
              needed.
            </Trans>
          ) : consent.state === 'given' ? (
            <Trans>
              Given on {formatDateTime(consent.answeredAt ?? '', undefined)}. A copy is in your email. Keep this link to
              change your mind.
            </Trans>
          ) : (
            <Trans>
              On {formatDateTime(consent.answeredAt ?? '', undefined)}. A copy is in your email. Keep this link to
              change your mind.
            </Trans>
          )}
        </p>
        {loaderData.step === 'not-me' ? (
          <NotMe token={token} />
        ) : (
          <>
            <Recording token={token} audio={audio} />
            {loaderData.step === 'form' && (
              <ConsentForm token={token} consent={consent} siteName={siteName} fault={loaderData.fault} />
            )}
            {loaderData.step === 'state' && <ConsentFacts token={token} consent={consent} />}
            {loaderData.step === 'withdraw' && <WithdrawQuestion token={token} consent={consent} />}
          </>
        )}
      </div>
    </div>
  );
}

type Given = NonNullable<Route.ComponentProps['loaderData']['consent']>;

function titleOf(step: string, { state }: Given): string {
  if (step === 'not-me') return t`Is this not you?`;
  if (step === 'withdraw') return t`Take your consent back?`;
  if (step === 'form') return t`You are heard in this recording`;
  if (state === 'given') return t`Thank you, your consent is recorded`;
  return state === 'withdrawn' ? t`You took your consent back` : t`You did not agree`;
}

function Recording({ token, audio }: { token: string; audio: Given['audio'] }) {
  return (
    <div className="consent__panel">
      <div className="flex items-center gap-4">
        {audio.hasCover && <img className="consent__cover" src={`/consent/${token}/cover`} alt="" />}
        <div className="min-w-0">
          <b className="block font-semibold" dir="auto">
            {audio.title}
          </b>
          <p className="text-14 text-muted">
            <bdi>{audio.voiceName}</bdi>
            <span className="dot tabular-nums">{formatTime(audio.seconds)}</span>
            <span className="dot">{t`recorded ${{ day: formatDate(audio.recordedAt) }}`}</span>
          </p>
        </div>
      </div>
      <ConsentPlayer src={`/consent/${token}/sound`} seconds={audio.seconds} waveform={audio.waveform} />
    </div>
  );
}

function NotMe({ token }: { token: string }) {
  return (
    <>
      <p className="mt-4 text-soft">
        <Trans>
          Then the email reached the wrong person. You need to do nothing: without an answer, nothing is published. To
          tell the creator, go back and choose “I do not agree”.
        </Trans>
      </p>
      <Button className="mt-6" render={<Link to={`/consent/${token}`} />}>
        {t({ message: 'Back', context: 'to a page' })}
      </Button>
    </>
  );
}

function EndedLink() {
  return (
    <div className="wrap">
      <div className="consent">
        <h1 tabIndex={-1}>{t`This link does not work`}</h1>
        <p className="mt-4 text-soft">
          <Trans>
            It is incomplete, has run out, or was replaced by a newer one. Nothing was changed. Ask the creator for a
            new one, or use the link in their newest email.
          </Trans>
        </p>
      </div>
    </div>
  );
}
