import Check from 'lucide-react/icons/check';
import type { LucideIcon } from 'lucide-react';
import { use, useState } from 'react';
import type { ReactElement, ReactNode } from 'react';
import { Icon } from './icon.tsx';
import { MenuPartsContext } from './menu-parts.ts';
import type { MenuParts } from './menu-parts.ts';
import { usePopup } from './use-popup.tsx';

type MenuProps<Items> = {
  /** A button; it gets the menu's ARIA and opens it. */
  trigger: ReactElement;
  /** Where this changes (the page did), the menu closes. */
  closeKey?: string;
  align?: 'start' | 'end';
  /** Stands above the items of the sheet on a phone: what the menu is about. */
  header?: ReactNode;
  /** Fetches the code of the items together with the popup's; for menus that stand in every row. Stays the same function. */
  load?: () => Promise<Items>;
  children: ReactNode | ((items: Items) => ReactNode);
};

const loadPopup = () => import('./menu-popup.tsx');

/** A popover, or a sheet at the bottom of a phone. Closes on outside press, Escape, a pressed item and a new `closeKey`. */
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

type MenuItemProps = { icon?: LucideIcon; onSelect: () => void; disabled?: boolean; children: ReactNode };

export function MenuItem({ icon, onSelect, disabled, children }: MenuItemProps) {
  const { Item } = useMenuParts();
  return (
    <Item className="menu__i" onClick={onSelect} disabled={disabled}>
      {icon && <Icon of={icon} />}
      {children}
    </Item>
  );
}

/** @param render the link, without text: `<Link to=… />` */
export function MenuLink({ icon, render, children }: { icon?: LucideIcon; render: ReactElement; children: ReactNode }) {
  const { LinkItem } = useMenuParts();
  return (
    <LinkItem className="menu__i" render={render} closeOnClick>
      {icon && <Icon of={icon} />}
      {children}
    </LinkItem>
  );
}

export function MenuSeparator() {
  const { Separator } = useMenuParts();
  return <Separator className="menu__line" />;
}

type MenuChoiceProps<Value extends string> = {
  label: string;
  value: Value;
  options: { value: Value; label: string }[];
  onChange: (value: Value) => void;
};

/** One of several, chosen in place: the menu stays open. */
export function MenuChoice<Value extends string>({ label, value, options, onChange }: MenuChoiceProps<Value>) {
  const { Group, GroupLabel, RadioGroup, RadioItem, RadioItemIndicator } = useMenuParts();
  return (
    <Group>
      <GroupLabel className="menu__lab">{label}</GroupLabel>
      <RadioGroup value={value} onValueChange={onChange}>
        {options.map((option) => (
          <RadioItem key={option.value} className="menu__i" value={option.value}>
            <span className="grow">{option.label}</span>
            <RadioItemIndicator>
              <Icon of={Check} size={16} />
            </RadioItemIndicator>
          </RadioItem>
        ))}
      </RadioGroup>
    </Group>
  );
}

/** On or off, in place: the menu stays open. */
export function MenuSwitch({
  checked,
  onChange,
  children,
}: {
  checked: boolean;
  onChange: (checked: boolean) => void;
  children: ReactNode;
}) {
  const { CheckboxItem } = useMenuParts();
  return (
    <CheckboxItem className="menu__i" checked={checked} onCheckedChange={onChange}>
      <span className="grow">{children}</span>
      <span className="sw" />
    </CheckboxItem>
  );
}

function useMenuParts(): MenuParts {
  const parts = use(MenuPartsContext);
  if (parts === undefined) throw new Error('A menu item stands outside a Menu');
  return parts;
}
