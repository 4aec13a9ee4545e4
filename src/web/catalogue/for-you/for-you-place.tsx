import { type ComponentProps, type ComponentType, useEffect, useRef, useState } from 'react';
import { enoughHeard } from '#suggestions/heard.ts';
import { browserStore } from '#web/browser-store.ts';
import { useRootData } from '#web/root-data.ts';
import type { ForYou } from './for-you.tsx';

type Props = ComponentProps<typeof ForYou>;

type ForYouPlaceProps = Props & {
  isVisitor: boolean;
  load: () => Promise<ComponentType<Props>>;
  /** The same as a late part. */
  Late: ComponentType<Props>;
};

/** “For you” on Home. For a visitor, whose pages are the same for all, it comes once this device has heard enough. */
export function ForYouPlace({ isVisitor, load, Late, ...props }: ForYouPlaceProps) {
  const isOff = useRootData()?.preferences.hasNoSuggestions === true;
  return isVisitor && !isOff ? <OfDevice load={load} {...props} /> : <Late {...props} />;
}

function OfDevice({ load, ...props }: Props & Pick<ForYouPlaceProps, 'load'>) {
  const place = useRef<HTMLDivElement>(null);
  const [Part, setPart] = useState<ComponentType<Props>>();
  useEffect(() => {
    const heard = browserStore.get('sotto_heard')?.split('"listens"').length ?? 0;
    if (heard <= enoughHeard || place.current === null) return;
    const observer = new IntersectionObserver(([entry]) => {
      // Out of sight, so that nothing that is seen moves.
      if (entry === undefined || entry.isIntersecting) return;
      if (entry.boundingClientRect.top < 0 && !CSS.supports('overflow-anchor', 'auto')) return;
      observer.disconnect();
      void load().then((loaded) => setPart(() => loaded));
    });
    observer.observe(place.current);
    return () => observer.disconnect();
  }, [load]);
  return <div ref={place}>{Part && <Part {...props} isEnough />}</div>;
}
