import { t } from '@lingui/core/macro';
import { redirect, redirectDocument } from 'react-router';
import { elsewhere, proofRefusals } from '#domain/age/rules.ts';
import { AgeDone, AgeRefused, AgeWaiting } from '../../age/age-outcome.tsx';
import { AgeQuestion } from '../../age/age-question.tsx';
import { ConfirmAge } from '../../age/confirm-age.tsx';
import { UnderAge } from '../../age/under-age.tsx';
import { requestContext, siteContext } from '../../context.ts';
import { splitPrefix } from '#formats/languages.ts';
import { ownPath } from '#formats/own-path.ts';
import { metaOf } from '../../page-meta.ts';
import { orNotFound } from '../../route-errors.ts';
import type { Route } from './+types/age';
import '../../styles/age.css';

const steps = ['waiting', 'done', 'refused', 'statement', 'under'] as const;

export async function loader({ context, params, request }: Route.LoaderArgs) {
  const site = context.get(siteContext);
  const { viewer, age } = context.get(requestContext);
  const query = new URL(request.url).searchParams;
  const step = params.step === undefined ? 'confirm' : orNotFound(steps.find((name) => name === params.step));
  const to = ownPath(query.get('to'));
  const own = splitPrefix(to).path;
  const shared = { to, siteName: site.facts.name };
  const nameOf = (place: string) => (place === elsewhere ? t`Everywhere else` : site.age.nameOf(place));
  if (step === 'under' || step === 'statement') {
    if (step === 'statement' && viewer.ageMissing === undefined) throw redirect(own);
    return { step, ...shared };
  }
  if (step === 'refused') {
    return { step, ...shared, why: orNotFound(proofRefusals.find((one) => one === query.get('why'))) };
  }
  if (step === 'done') {
    const kept = age?.kept;
    if (kept === undefined || kept.method === 'statement') throw redirect(`/age?to=${encodeURIComponent(to)}`);
    return {
      step,
      ...shared,
      to: own,
      way: kept.method,
      provider: site.age.ways.provider?.name,
      rule: nameOf(kept.place),
      until: kept.until,
    };
  }
  // With all of its data: after a log-in, only this page is read again.
  if (viewer.ageMissing !== 'proof') throw redirectDocument(own);
  const { ways = [], wallet, provider, region, until, expiresAt } = age ?? {};
  const seconds = expiresAt === undefined ? 0 : Math.max(0, Math.round((expiresAt.getTime() - Date.now()) / 1000));
  if (step === 'waiting') return { step, ...shared, seconds };
  const [, slug] = /^\/audio\/([^/?]+)/.exec(own) ?? [];
  const audio = slug === undefined ? undefined : await site.catalogue.findSharedAudio(slug);
  return {
    step: 'confirm' as const,
    ...shared,
    ways,
    wallet,
    provider,
    seconds,
    until,
    country: region === undefined ? undefined : nameOf(region),
    title: audio?.title,
    isAway: query.get('why') === 'unavailable',
  };
}

type Loaded = Route.ComponentProps['loaderData'];

const titles: Record<Loaded['step'], () => string> = {
  confirm: () => t`Confirm your age`,
  waiting: () => t`Waiting for your wallet`,
  done: () => t`Your age is confirmed`,
  refused: () => t`Your age was not confirmed`,
  statement: () => t`For adults`,
  under: () => t`For adults`,
};

export const meta = metaOf((loaded: Loaded) => ({
  title: titles[loaded.step](),
  description: t`The audios here are for adults.`,
  index: 'no' as const,
}));

const wayNames: Record<Extract<Loaded, { step: 'done' }>['way'], (provider: string | undefined) => string> = {
  wallet: () => t`Age verification app`,
  provider: (name) => name ?? t`Age provider`,
  'stand-in': () => t`Stand-in wallet`,
};

export default function Age({ loaderData }: Route.ComponentProps) {
  return <div className="wrap age-step">{pageOf(loaderData)}</div>;
}

function pageOf(loaded: Loaded) {
  switch (loaded.step) {
    case 'confirm':
      return <ConfirmAge {...loaded} />;
    case 'waiting':
      return <AgeWaiting {...loaded} />;
    case 'done':
      return <AgeDone {...loaded} way={wayNames[loaded.way](loaded.provider)} />;
    case 'refused':
      return <AgeRefused {...loaded} />;
    case 'under':
      return <UnderAge {...loaded} />;
    default:
      return <AgeQuestion {...loaded} />;
  }
}
