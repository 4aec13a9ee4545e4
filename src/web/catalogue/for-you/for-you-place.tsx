import { type ComponentProps, type ComponentType, useEffect, useRef, useState } from 'react';
import { enoughHeard, heardCountKey } from '#suggestions/enough-heard.ts';
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
    if (Number(browserStore.get(heardCountKey)) < enoughHeard || place.current === null) return;
    let mayCome = false;
    const observer = new IntersectionObserver(([entry]) => {
      // Out of sight, so that nothing that is seen moves: now, and when it has loaded.
      const isBelow = (entry?.boundingClientRect.top ?? 0) >= 0;
      mayCome = entry?.isIntersecting === false && (isBelow || CSS.supports('overflow-anchor', 'auto'));
      if (mayCome) void load().then((loaded) => mayCome && setPart(() => loaded));
    });
    observer.observe(place.current);
    return () => observer.disconnect();
  }, [load]);
  return <div ref={place}>{Part && <Part {...props} isEnough />}</div>;
}
