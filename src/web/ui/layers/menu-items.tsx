import Check from 'lucide-react/icons/check';
import type { LucideIcon } from 'lucide-react';
import { type ReactElement, type ReactNode, use } from 'react';
import { classNames } from '../class-names.ts';
import { Icon } from '../images/icon.tsx';
import { type MenuParts, MenuPartsContext } from './menu-parts.ts';

type MenuItemProps = { icon?: LucideIcon; onSelect: () => void; disabled?: boolean; children: ReactNode };

export function MenuItem({ icon, onSelect, disabled, children }: MenuItemProps) {
  const { Item } = useMenuParts();
  return (
    <Item className="menu__item" onClick={onSelect} disabled={disabled}>
      {icon && <Icon of={icon} />}
      {children}
    </Item>
  );
}

/** @param render the link, without text: `<Link to=… />` */
export function MenuLink({ icon, render, children }: { icon?: LucideIcon; render: ReactElement; children: ReactNode }) {
  const { LinkItem } = useMenuParts();
  return (
    <LinkItem className="menu__item" render={render} closeOnClick>
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
  /** `lang`: of a label in another language than the page. */
  options: { value: Value; label: string; lang?: string }[];
  onChange: (value: Value) => void;
  /** `grid`: short options side by side. */
  variant?: 'list' | 'grid';
};

/** Radio group; the menu stays open. */
export function MenuChoice<Value extends string>({
  label,
  value,
  options,
  onChange,
  variant = 'list',
}: MenuChoiceProps<Value>) {
  const isGrid = variant === 'grid';
  const { Group, GroupLabel, RadioGroup, RadioItem, RadioItemIndicator } = useMenuParts();
  return (
    <Group>
      <GroupLabel className="menu__label">{label}</GroupLabel>
      <RadioGroup
        value={value}
        onValueChange={onChange}
        className={isGrid ? 'grid grid-cols-4 gap-2 px-2 pb-2' : undefined}
      >
        {options.map((option) => (
          <RadioItem
            key={option.value}
            className={isGrid ? 'chip chip--small tabular-nums justify-center px-0' : 'menu__item'}
            value={option.value}
          >
            <span dir={isGrid ? 'ltr' : undefined} className={isGrid ? undefined : 'min-w-0 flex-1'} lang={option.lang}>
              {option.label}
            </span>
            {!isGrid && (
              <RadioItemIndicator>
                <Icon of={Check} size={16} />
              </RadioItemIndicator>
            )}
          </RadioItem>
        ))}
      </RadioGroup>
    </Group>
  );
}

/** On/off item; the menu stays open. */
export function MenuSwitch({
  checked,
  onChange,
  className,
  children,
}: {
  checked: boolean;
  onChange: (checked: boolean) => void;
  className?: string;
  children: ReactNode;
}) {
  const { CheckboxItem } = useMenuParts();
  return (
    <CheckboxItem className={classNames('menu__item', className)} checked={checked} onCheckedChange={onChange}>
      <span className="min-w-0 flex-1">{children}</span>
      <span className="switch" />
    </CheckboxItem>
  );
}

function useMenuParts(): MenuParts {
  const parts = use(MenuPartsContext);
  if (parts === undefined) throw new Error('A menu item stands outside a Menu');
  return parts;
}
