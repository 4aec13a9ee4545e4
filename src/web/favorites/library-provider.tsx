import { t } from '@lingui/core/macro';
import {
  createContext,
  use,
  useEffect,
  useMemo,
  useState,
  useSyncExternalStore,
  type ComponentType,
  type ReactNode,
} from 'react';
import type { FavoriteGroup } from '#domain/library/rules.ts';
import { answerOf, api } from '../api.ts';
import { useSession } from '../identity/session-provider.tsx';
import type { RootData } from '../root-data.ts';
import { useSignInPrompt } from '../identity/prompts.tsx';
import { useToast } from '../ui/layers/toast.tsx';
import { useLateLayer } from '../ui/layers/use-late-layer.ts';
import {
  createFavorites,
  type FavoriteCalls,
  type FavoriteState,
  type Favorites,
  type FavoriteSubject,
} from './favorites.ts';

/** Audio data for the window “Add to playlist”. */
export type PlaylistCandidate = { id: string; title: string; imageUrl: string | null; voice: { name: string } };

export type PlaylistPickerProps = { audio: PlaylistCandidate; open: boolean; onClose: () => void };

type Library = { favorites: Favorites; addToPlaylist: (audio: PlaylistCandidate) => void };

const LibraryContext = createContext<Library | undefined>(undefined);

/** The page may close before a call is answered. */
let isLeaving = false;

const calls: FavoriteCalls = {
  async save({ id, ...change }) {
    const init = { keepalive: isLeaving };
    const answer = await answerOf(api.user.favorite[':id'].$post({ param: { id }, json: change }, { init }));
    return answer.ok ? { ok: true, totalFavorite: answer.data.totalFavorite } : answer;
  },
  async load() {
    const answer = await answerOf(api.user.me.$get());
    return answer.ok ? answer.data.favorites : undefined;
  },
};

type LibraryProviderProps = {
  user: RootData['user'];
  favorites: RootData['favorites'];
  /** Loads the window “Add to playlist”. Must be a stable function. */
  loadPicker: () => Promise<{ PlaylistPicker: ComponentType<PlaylistPickerProps> }>;
  children: ReactNode;
};

/**
 * The user’s favorites and the window “Add to playlist”, available on every page. Needs a SessionProvider around it.
 */
export function LibraryProvider({ user, favorites: ofPage, loadPicker, children }: LibraryProviderProps) {
  const showToast = useToast();
  const askToSignIn = useSignInPrompt();
  const { beforeLogOut } = useSession();
  const page = useMemo(
    () => ({ userId: user?.id ?? null, ids: ofPage?.ids, isWhole: ofPage?.isWhole ?? true }),
    [user?.id, ofPage],
  );
  const [favorites] = useState(() =>
    createFavorites({
      calls,
      first: page,
      onRefused: ({ name }, wanted, message) =>
        message !== '' &&
        showToast({
          text: wanted ? t`“${name}” could not be saved. ${message}` : t`“${name}” could not be removed. ${message}`,
        }),
    }),
  );
  const [candidate, setCandidate] = useState<PlaylistCandidate>();
  const [isPicking, setIsPicking] = useState(false);
  const picker = useLateLayer(loadPicker, isPicking, () => setIsPicking(false));

  useEffect(() => favorites.setUser(page), [favorites, page]);
  useEffect(() => beforeLogOut(async () => void (await favorites.flush())), [beforeLogOut, favorites]);
  useEffect(() => {
    const leave = () => {
      isLeaving = true;
      void favorites.flush();
      isLeaving = false;
    };
    const onVisibility = () => (document.visibilityState === 'hidden' ? leave() : favorites.comeBack());
    // Before the next page loads, which may show the change; phones fire `pagehide` only.
    const stop = new AbortController();
    window.addEventListener('beforeunload', leave, stop);
    window.addEventListener('pagehide', leave, stop);
    document.addEventListener('visibilitychange', onVisibility, stop);
    return () => stop.abort();
  }, [favorites]);

  const library = useMemo(
    (): Library => ({
      favorites,
      addToPlaylist(audio) {
        const { title, imageUrl } = audio;
        askToSignIn({
          title: t`Sign in to add “${title}” to a playlist`,
          imageUrl,
          act() {
            setCandidate(audio);
            setIsPicking(true);
          },
        });
      },
    }),
    [favorites, askToSignIn],
  );

  return (
    <LibraryContext value={library}>
      {children}
      {picker && candidate && (
        <picker.PlaylistPicker audio={candidate} open={isPicking} onClose={() => setIsPicking(false)} />
      )}
    </LibraryContext>
  );
}

function useLibrary(): Library {
  const library = use(LibraryContext);
  if (library === undefined) throw new Error('The library needs a LibraryProvider around it');
  return library;
}

/** Opens the window with the user’s own playlists; visitors get the sign-in prompt first. */
export function useAddToPlaylist(): Library['addToPlaylist'] {
  return useLibrary().addToPlaylist;
}

export function useFavorites(): Favorites {
  return useLibrary().favorites;
}

export function useFavoriteState(subject: Omit<FavoriteSubject, 'name'>): FavoriteState {
  const { favorites } = useLibrary();
  const state = () => favorites.stateOf(subject);
  return useSyncExternalStore(favorites.subscribe, state, state);
}

/** Number of users with this favorite. @param known the number in the page’s data */
export function useFavoriteTotal(id: string, known: number): number {
  const { favorites } = useLibrary();
  const total = () => favorites.totalOf(id) ?? known;
  return useSyncExternalStore(favorites.subscribe, total, total);
}

/** Current number of favorites in a group. @param known the number in the page’s data */
export function useFavoriteCount(group: FavoriteGroup, known: number): number {
  const { favorites } = useLibrary();
  const balance = () => favorites.balanceOf(group);
  const now = useSyncExternalStore(favorites.subscribe, balance, balance);
  const [base, setBase] = useState({ known, balance: now });
  if (base.known !== known) setBase({ known, balance: now });
  return Math.max(0, known + now - base.balance);
}
