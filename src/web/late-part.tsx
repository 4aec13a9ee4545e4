import type { ComponentType, ReactNode } from 'react';
import { memo, Suspense, use, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { browserClock } from '#player/clock.ts';
import { createLate } from '#player/late.ts';
import { browserNetwork } from '#player/network.ts';
import { afterFirstPress } from './ui/first-press.ts';

/** Distance from the window at which the code of a part below it loads. */
const margin = '600px 0px';

const subscribe = () => () => {};

/**
 * A part of a page that a first load shows as the server’s HTML, without its code: that loads when the part comes near
 * the window, or after the first press. A navigation waits for the code, so that the page appears whole.
 * @param load rejects when offline; it is then tried again
 */
export function latePart<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  const code = createLate({ load, clock: browserClock, network: browserNetwork });
  const { promise, resolve } = Promise.withResolvers<ComponentType<Props>>();
  let isWanted = false;

  function want(): void {
    if (isWanted) return;
    isWanted = true;
    code.use((Part) => {
      resolve(Part);
      // As React marks promises: `use` then gives the value at once.
      Object.assign(promise, { status: 'fulfilled', value: Part });
    });
  }

  function Content({ props, onAlive }: { props: Props; onAlive: () => void }): ReactNode {
    // Never left out: after it suspended, React takes the hooks that follow for those of a first render only through it.
    const Part = use(promise);
    useEffect(onAlive, [onAlive]);
    return <Part {...props} />;
  }

  function LatePart(props: Props) {
    const place = useRef<HTMLDivElement>(null);
    // Stays true after hydration: a part that rendered once more would lose the server’s HTML.
    const [origin] = useState(() => ({ isServer: false }));
    const [early] = useState(() => ({
      isOver: false,
      pressed: undefined as HTMLElement | undefined,
      end() {
        early.isOver = true;
        if (early.pressed?.isConnected) early.pressed.click();
        early.pressed = undefined;
      },
    }));
    const mayWait = useSyncExternalStore(
      subscribe,
      () => origin.isServer,
      () => (origin.isServer = true),
    );
    const [firstProps] = useState(props);
    // The server’s HTML cannot show newer data.
    if (!mayWait || typeof document === 'undefined' || props !== firstProps) want();
    useEffect(() => {
      const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && want(), { rootMargin: margin });
      if (place.current) observer.observe(place.current);
      const stopWaiting = afterFirstPress(want);
      return () => {
        observer.disconnect();
        stopWaiting();
      };
    }, []);
    useEffect(() => {
      // React stops the clicks on HTML that it has not hydrated: the last one is repeated after that.
      const onClick = (event: MouseEvent) => {
        const control = event.target instanceof Element && event.target.closest<HTMLElement>('a, button');
        if (early.isOver || !control || !place.current?.contains(control)) return;
        if (event.metaKey || event.ctrlKey || event.shiftKey) return;
        event.preventDefault();
        early.pressed = control;
        want();
      };
      window.addEventListener('click', onClick, { capture: true });
      return () => window.removeEventListener('click', onClick, { capture: true });
    }, [early]);
    const content = <Content props={props} onAlive={early.end} />;
    return <div ref={place}>{mayWait ? <Suspense fallback={null}>{content}</Suspense> : content}</div>;
  }

  // A part with the same data does not render again, and so keeps the server’s HTML.
  return memo(LatePart) as unknown as ComponentType<Props>;
}
