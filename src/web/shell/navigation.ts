import { href } from 'react-router';

/** The site's own navigation, in its order. */
export const navigation = [
  { label: 'Library', to: href('/library') },
  { label: 'Categories', to: href('/categories') },
  { label: 'Creators', to: href('/creators') },
  { label: 'About', to: href('/about') },
];
