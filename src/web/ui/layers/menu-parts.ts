import type { Menu } from '@base-ui/react/menu';
import { type ReactNode, createContext } from 'react';

export type MenuParts = Pick<
  typeof Menu,
  | 'Item'
  | 'LinkItem'
  | 'Separator'
  | 'Group'
  | 'GroupLabel'
  | 'RadioGroup'
  | 'RadioItem'
  | 'RadioItemIndicator'
  | 'CheckboxItem'
>;

/** Gives menu items the library’s components, which load together with the popup. */
export const MenuPartsContext = createContext<MenuParts | undefined>(undefined);

/** Lets a chosen item leave something that stays when the menu closes. */
export type MenuRest = {
  /** The button that opened the menu. */
  anchor: HTMLElement | null;
  show: (rest: ReactNode) => void;
  /** Gets the focus when the menu closes; null: its button does. */
  focusNext: (element: HTMLElement | null) => void;
};

export const MenuRestContext = createContext<MenuRest | undefined>(undefined);
