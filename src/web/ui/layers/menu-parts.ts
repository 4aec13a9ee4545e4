import type { Menu } from '@base-ui/react/menu';
import { createContext } from 'react';

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
