import { useOutletContext } from 'react-router';
import type { ManagedVoice, StudioCounts } from '#domain/studio/voices.ts';

/** What the Studio's layout hands to its pages. */
export type StudioContext = { voice: ManagedVoice; counts: StudioCounts };

export function useStudio(): StudioContext {
  return useOutletContext<StudioContext>();
}
