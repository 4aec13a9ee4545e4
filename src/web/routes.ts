import type { RouteConfig } from '@react-router/dev/routes';
import { index, route } from '@react-router/dev/routes';

export default [
  index('routes/home.tsx'),
  route('audios', 'routes/audios.tsx'),
  route('audio/:slug', 'routes/audio.tsx'),
  route('creators', 'routes/creators.tsx'),
  route('creators/:slug', 'routes/creator.tsx'),
  route('series', 'routes/series-list.tsx'),
  route('series/:slug', 'routes/series.tsx'),
  route('categories', 'routes/categories.tsx'),
  route('categories/:slug', 'routes/category.tsx'),
  route('playlists', 'routes/playlists.tsx'),
  route('playlists/:slug', 'routes/playlist.tsx'),
  route('users-playlists', 'routes/user-playlists.tsx'),
  route('users-playlists/:id', 'routes/user-playlist.tsx'),
  route('library', 'routes/library.tsx'),
  route('search', 'routes/search.tsx'),
  route('blog', 'routes/blog.tsx'),
  route('about', 'routes/info-page.tsx', { id: 'about' }),
  route('terms', 'routes/info-page.tsx', { id: 'terms' }),
  route('privacy', 'routes/info-page.tsx', { id: 'privacy' }),
  route('manifest.webmanifest', 'routes/manifest.ts'),
  route('*', 'routes/not-found.tsx'),
] satisfies RouteConfig;
