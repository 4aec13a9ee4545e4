import { type ReactElement, type ReactNode, useState } from 'react';
import { usePopup } from './use-popup.tsx';

type MenuProps<Items> = {
  /** A button; it gets the menu's ARIA and opens it. */
  trigger: ReactElement;
  /** The menu closes when this changes, such as on navigation. */
  closeKey?: string;
  align?: 'start' | 'end';
  /** Heading above the items of the bottom sheet on a phone: the menu’s subject. */
  header?: ReactNode;
  /** Loads the items’ code together with the popup’s, for menus in list rows. Must be a stable function. */
  load?: () => Promise<Items>;
  children: ReactNode | ((items: Items) => ReactNode);
};

const loadPopup = () => import('./menu-popup.tsx');

/** A popover, or a bottom sheet on a phone. Closes on outside press, Escape, a chosen item and a new `closeKey`. */
export function Menu<Items>({ trigger, closeKey, align = 'end', header, load, children }: MenuProps<Items>) {
  const [loadAll] = useState(() => async () => {
    const [{ MenuPopup }, items] = await Promise.all([loadPopup(), load?.()]);
    return { MenuPopup, items };
  });
  const { button, popup, loaded } = usePopup(trigger, { kind: 'menu', closeKey, load: loadAll });
  return (
    <>
      {button}
      {loaded && (
        <loaded.MenuPopup popup={popup} align={align} header={header}>
          {typeof children === 'function' ? loaded.items && children(loaded.items) : children}
        </loaded.MenuPopup>
      )}
    </>
  );
}
