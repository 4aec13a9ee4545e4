import { useEffect, useState } from 'react';
import { fileLimitMs } from '#player/timed-fetch.ts';
import { apiFetch } from '../../api.ts';
import { saveFile } from '../../save-file.ts';
import { Dialog } from '../../ui/layers/dialog.tsx';
import { useToast } from '../../ui/layers/toast.tsx';
import { AccountFact } from './account-fact.tsx';

const loadDeletion = () => import('./account-deletion.tsx');
type Deletion = Awaited<ReturnType<typeof loadDeletion>>;

type AccountDataProps = {
  hasPassword: boolean | null;
  /** Paid and given time that the deletion takes; null for none. */
  loss: string | null;
  heading: 'h1' | 'h2';
};

/** Data export and account deletion. */
export function AccountData({ hasPassword, loss, heading: Heading }: AccountDataProps) {
  const showToast = useToast();
  const [isPacking, setIsPacking] = useState(false);
  const [deletion, setDeletion] = useState<Deletion>();
  const [isDeleting, setIsDeleting] = useState(false);

  useEffect(() => void loadDeletion().catch(() => undefined), []);

  async function download(): Promise<void> {
    if (isPacking) return;
    setIsPacking(true);
    showToast({ text: await downloadData() });
    setIsPacking(false);
  }

  async function openDeletion(): Promise<void> {
    const loaded = await loadDeletion().catch(() => undefined);
    if (loaded === undefined) return showToast({ text: 'No internet connection' });
    setDeletion(loaded);
    setIsDeleting(true);
  }

  return (
    <section id="data" tabIndex={-1} aria-label="Your data">
      <Heading className="text-26" tabIndex={-1}>
        Your data
      </Heading>
      <noscript>
        <p className="mt-2 text-soft">Downloading your data and deleting your account need JavaScript.</p>
      </noscript>
      <dl className="details">
        <AccountFact label="Export" value="Download all your data (ZIP)">
          <button
            type="button"
            className="link"
            aria-label="Download your data"
            aria-disabled={isPacking || undefined}
            onClick={() => void download()}
          >
            {isPacking ? 'Packing…' : 'Download'}
          </button>
        </AccountFact>
        <AccountFact label="Account" value="Permanently delete your account and data">
          <button
            type="button"
            className="link text-danger"
            aria-label="Delete account"
            onClick={() => void openDeletion()}
          >
            Delete
          </button>
        </AccountFact>
      </dl>
      <Dialog
        open={isDeleting}
        onClose={() => setIsDeleting(false)}
        dismissedBy="button"
        title="Delete your account"
        description={`Your profile, your playlists, your sessions and everything else that belongs to your account are deleted at once. ${loss === null ? '' : `${loss} `}This cannot be undone.`}
      >
        {deletion && <deletion.AccountDeletion hasPassword={hasPassword} onKept={() => setIsDeleting(false)} />}
      </Dialog>
    </section>
  );
}

/** @returns the message for the user */
async function downloadData(): Promise<string> {
  try {
    const answer = await apiFetch('/v1/api/user/export', { limitMs: fileLimitMs });
    if (answer.status === 429) return 'You have just done this. Please try again later.';
    if (!answer.ok) return 'Something went wrong. Please try again.';
    saveFile(await answer.blob(), 'my-data.zip');
    return 'Your data is downloaded';
  } catch {
    return 'No internet connection';
  }
}
