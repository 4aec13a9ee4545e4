import { useOutletContext } from 'react-router';
import type { ManagedVoice, StudioCounts } from '#domain/studio/voices.ts';

/** Data that the Studio's layout passes to its pages. */
export type StudioContext = { voice: ManagedVoice; counts: StudioCounts };

export function useStudio(): StudioContext {
  return useOutletContext<StudioContext>();
}
