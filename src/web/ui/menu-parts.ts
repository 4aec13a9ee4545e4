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

/** Hands the items of a menu the library's parts, which arrive with the popup. */
export const MenuPartsContext = createContext<MenuParts | undefined>(undefined);
