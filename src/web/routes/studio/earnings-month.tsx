import { orNotFound } from '../../route-errors.ts';
import { OneMonth } from '../../studio/earnings/one-month.tsx';
import { managedVoice } from '../../studio/managed-voice.ts';
import { useStudio } from '../../studio/use-studio.ts';
import { titled } from '../../workshop/titled.ts';
import { formatMonth } from '#formats/times.ts';
import type { Route } from './+types/earnings-month';

/** A 404 for editors, who do not see earnings. */
export async function loader({ context, params }: Route.LoaderArgs) {
  const { site, viewer, voice } = await managedVoice(context, params.voice);
  return orNotFound(await site.earnings.findEarnings(viewer, voice.id, params.month));
}

export const meta = titled(({ month }: Route.ComponentProps['loaderData']) => formatMonth(month));

export default function StudioEarningsMonth({ loaderData }: Route.ComponentProps) {
  return <OneMonth voice={useStudio().voice.slug} earnings={loaderData} />;
}
